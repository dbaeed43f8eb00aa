// A story from easy to broken; pictures are written as in a link (see scene.js).

export const EXAMPLES = [
  {
    title: "It understands", sentence: "There is a tower with a black block at the top.",
    told: "Nobody taught it what “top” means: it saw sentences, pictures, and true or false. Point at a part of the program to see what it finds.",
    picture: "bs20-40-80.bs20-40-59~ys20-40-80.ks20-40-59.ks20-40-38.ks20-40-17~ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17",
  },
  {
    title: "It counts", sentence: "There are exactly two towers with a blue block at the base.",
    told: "“exactly two” and “base” are parts of the program. Move a block, and the answer follows.",
    picture: "ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17~bs20-40-80.bs20-40-59~ks20-40-80.ys20-40-59.ks20-40-38",
  },
  {
    title: "It nests", sentence: "There is exactly one box with at least two yellow squares.",
    told: "Two counts, one inside the other. Under Readings stands what else it may mean.",
    picture: "ks20-41-9.bt20-17-77.yt30-38-46~kc20-0-80.bc20-20-65.yc20-76-19.bc10-24-44~bc20-80-80.bc10-0-69",
  },
  {
    title: "It asks back", sentence: "There is a blue object touching a black circle.",
    told: "Where readings are close, “Where do they differ?” finds a picture that tells them apart.",
    picture: "bt20-53-32.ks30-19-68~yt20-80-18.bs10-0-47.bt20-40-21.ys20-42-1.kc20-34-80.bc10-62-90.bc30-0-11~kc20-0-80.bc10-70-52.yc20-27-29.bc30-57-11",
  },
  {
    title: "Right by luck", sentence: "There is a yellow block above a black block.",
    told: "A wrong program can give the right answer: that is called spurious. Choose another reading: the same answer here, another meaning.",
    picture: "ks20-40-80.ks20-40-59~ys20-40-80.ks20-40-59~ys20-40-80.ys20-40-59.bs20-40-38.bs20-40-17",
  },
  {
    title: "Spelling", sentence: "There is a yelow circle under a blue square.",
    told: "It takes “yelow” for “yellow”, and says so.",
    picture: "ks20-6-40.bs30-55-0.yt20-14-74.bt10-83-65.bc30-52-70.bc20-0-12~kt10-0-0.ks20-63-67.bt20-15-2.kt20-80-21~kc10-90-0.yc10-67-23.bc10-88-53.ks10-83-43.ks20-20-77",
  },
  {
    title: "It misreads", sentence: "A box has nothing but blue items.",
    told: "It reads “no blue objects”, and is not sure. “I meant this one” beside the right reading teaches it.",
    picture: "bc20-10-60.bc20-60-20~yc20-20-20.ks20-60-60~yc30-30-30.bs20-10-10",
  },
  {
    title: "It refuses", sentence: "The president of France is tall.",
    told: "Words it does not know are underlined, and below half trust it does not answer.",
    picture: "bs20-40-80.bs20-40-59~ys20-40-80.ks20-40-59.ks20-40-38.ks20-40-17~ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17",
  },
];
