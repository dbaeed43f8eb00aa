// Examples to begin with; pictures are written as in a link (see scene.js).

export const EXAMPLES = [
  { sentence: "There is a tower with a black block at the top.", picture: "bs20-40-80.bs20-40-59~ys20-40-80.ks20-40-59.ks20-40-38.ks20-40-17~ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17" },
  { sentence: "There are exactly two towers with a blue block at the base.", picture: "ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17~bs20-40-80.bs20-40-59~ks20-40-80.ys20-40-59.ks20-40-38" },
  { sentence: "There is a yellow block above a black block.", picture: "ks20-40-80.ks20-40-59~ys20-40-80.ks20-40-59~ys20-40-80.ys20-40-59.bs20-40-38.bs20-40-17" },
  { sentence: "All the towers have the same height.", picture: "ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17~bs20-40-80.bs20-40-59~ks20-40-80.ys20-40-59.ks20-40-38" },
  { sentence: "There is exactly one box with at least two yellow squares.", picture: "ks20-41-9.bt20-17-77.yt30-38-46~kc20-0-80.bc20-20-65.yc20-76-19.bc10-24-44~bc20-80-80.bc10-0-69" },
  { sentence: "There is a small triangle touching the wall.", picture: "ks20-6-40.bs30-55-0.yt20-14-74.bt10-83-65.bc30-52-70.bc20-0-12~kt10-0-0.ks20-63-67.bt20-15-2.kt20-80-21~kc10-90-0.yc10-67-23.bc10-88-53.ks10-83-43.ks20-20-77" },
  { sentence: "There is a blue object touching a black circle.", picture: "bt20-53-32.ks30-19-68~yt20-80-18.bs10-0-47.bt20-40-21.ys20-42-1.kc20-34-80.bc10-62-90.bc30-0-11~kc20-0-80.bc10-70-52.yc20-27-29.bc30-57-11" },
  { sentence: "Every box has a yellow circle.", picture: "bt10-48-69.yc30-0-0~bc10-37-40.bc30-46-53.kc10-27-40.kc20-60-22~ys10-57-90.ks20-44-65.bs10-67-82.ys30-46-18.bs30-0-19.ks30-67-52" },
  { sentence: "Is there a box without a circle?", picture: "ks30-17-18.kc10-90-68~ys20-50-80.ys20-74-70.ys20-17-26.ys10-26-90.ys20-49-60.ys10-3-76~bt20-51-6.bt10-71-1.yc20-78-65.kc20-3-32.bc10-1-12.bc10-81-0.bs30-29-67.bs20-59-41" },
  { sentence: "There is a yelow circle under a blue square.", picture: "ks20-6-40.bs30-55-0.yt20-14-74.bt10-83-65.bc30-52-70.bc20-0-12~kt10-0-0.ks20-63-67.bt20-15-2.kt20-80-21~kc10-90-0.yc10-67-23.bc10-88-53.ks10-83-43.ks20-20-77" },
  { sentence: "The president of France is tall.", picture: "bs20-40-80.bs20-40-59~ys20-40-80.ks20-40-59.ks20-40-38.ks20-40-17~ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17" },
];
