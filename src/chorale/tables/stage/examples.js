// A story from easy to broken, about three small tables. Tables are written line by line, with bars between the cells.

const read = (text) => text.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim()));

function table(text) {
  const [header, ...rows] = read(text);
  return { header, rows };
}

export const TABLES = {
  mountains: table(`
    Mountain|Height (m)|Range|First climbed
    Everest|8,849|Himalaya|29 May 1953
    K2|8,611|Karakoram|31 July 1954
    Kangchenjunga|8,586|Himalaya|25 May 1955
    Lhotse|8,516|Himalaya|18 May 1956
    Makalu|8,485|Himalaya|15 May 1955
    Cho Oyu|8,188|Himalaya|19 October 1954
    Dhaulagiri|8,167|Himalaya|13 May 1960
    Manaslu|8,163|Himalaya|9 May 1956
    Nanga Parbat|8,126|Himalaya|3 July 1953
    Annapurna|8,091|Himalaya|3 June 1950
    Gasherbrum I|8,080|Karakoram|5 July 1958
    Broad Peak|8,051|Karakoram|9 June 1957
    Gasherbrum II|8,035|Karakoram|7 July 1956
    Shishapangma|8,027|Himalaya|2 May 1964`),
  matches: table(`
    Date|Opponent|Place|Result|Spectators
    14 March|Rovers|home|3-1|4,210
    21 March|Athletic|away|0-2|1,950
    28 March|Harbour Town|home|2-2|3,870
    4 April|Rangers|away|1-0|5,120
    11 April|Rovers|away|2-4|4,475
    18 April|Athletic|home|5-0|3,015
    25 April|Harbour Town|away|1-1|2,260
    2 May|Rangers|home|4-3|6,340`),
  bakery: table(`
    Product|Kind|Price|Sold|Maker
    Green tea|drink|3.20|140|Aster
    Black tea|drink|2.90|210|Aster
    Espresso|drink|2.40|380|Bruno
    Lemon cake|cake|4.10|95|Clara
    Apple pie|cake|3.80|120|Clara
    Walnut bread|bread|5.60|60|Dorn
    Rye bread|bread|4.90|85|Dorn
    Oat biscuit|cake|1.20|310|Clara`),
};

export const EXAMPLES = [
  {
    title: "It understands", table: "mountains", sentence: "how many mountains are higher than 8,500 m?",
    told: "It learned from questions and their answers alone; nobody wrote a program. Point at a part of the program to see its rows.",
  },
  {
    title: "It subtracts", table: "mountains", sentence: "how much higher is Everest than K2?",
    told: "Two sets of rows, and the distance between them. The same as SQL stands below the program.",
  },
  {
    title: "It reads dates", table: "mountains", sentence: "which mountain was climbed first?",
    told: "“29 May 1953” is a date, so there is an earliest one. Double-click a date to change it.",
  },
  {
    title: "It adds up", table: "matches", sentence: "how many spectators were there in total at home?",
    told: "First the rows, then the sum. Change a cell, and the answer follows.",
  },
  {
    title: "It groups", table: "bakery", sentence: "which maker has the most products?",
    told: "The most common value of a column. “Which row would change this?” says what the answer hangs on.",
  },
  {
    title: "Right by luck", table: "mountains", sentence: "what is the top mountain?",
    told: "It takes the first row, and this table happens to begin with the highest: right by luck is called spurious. Sort by another column and see.",
  },
  {
    title: "It hesitates", table: "mountains", sentence: "which mountain is listed first?",
    told: "First in the table, or climbed first? Below half trust it does not answer. Readings stand below; “I meant this one” teaches it.",
  },
  {
    title: "It refuses", table: "mountains", sentence: "who climbed Everest?",
    told: "No column says who. The nearest it finds is a date; it does not trust that, and says so instead of guessing.",
  },
];
