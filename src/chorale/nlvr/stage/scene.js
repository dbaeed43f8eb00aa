// Scenes: three boxes of objects, what can be done to them, and their forms as JSON (NLVR's) and as part of a link.

export const COLORS = ["black", "blue", "yellow"];
export const SHAPES = ["circle", "square", "triangle"];
export const SIZES = [10, 20, 30];
export const SIDES = ["left", "middle", "right"];
export const SIDE = 100;
export const MOST = 32; // objects in a box; the server takes no more
const TALLEST = 4;
const BLOCK = 20;
const TOWER_X = 40;
const JSON_COLORS = { black: "Black", blue: "#0099ff", yellow: "Yellow" };
const LETTERS = { black: "k", blue: "b", yellow: "y", circle: "c", square: "s", triangle: "t" };

let last = 0;
const named = (thing) => ({ ...thing, id: ++last });
export const copy = (boxes) => boxes.map((box) => box.map((thing) => ({ ...thing })));

export function fromJson(rep, before = null) {
  // Objects that were there before keep their identity, so that the picture moves them instead of drawing anew.
  const free = (before ?? []).map((box) => [...box]);
  return rep.map((box, index) =>
    box.map((one) => {
      const name = one.color.toLowerCase();
      const color = name === "#0099ff" ? "blue" : name;
      const thing = { x: one.x_loc, y: one.y_loc, size: one.size, shape: one.type, color };
      const same = free[index]?.findIndex((old) => same_place(old, thing)) ?? -1;
      return same < 0 ? named(thing) : { ...thing, id: free[index].splice(same, 1)[0].id };
    }),
  );
}

const same_place = (one, other) => one.x === other.x && one.y === other.y;

export const toJson = (boxes) =>
  boxes.map((box) =>
    box.map((thing) => ({
      x_loc: thing.x, y_loc: thing.y, size: thing.size, type: thing.shape, color: JSON_COLORS[thing.color],
    })),
  );

export const encode = (boxes) =>
  boxes
    .map((box) =>
      box
        .map((thing) => `${LETTERS[thing.color]}${LETTERS[thing.shape]}${thing.size}-${thing.x}-${thing.y}`)
        .join("."),
    )
    .join("~");

export function decode(text) {
  // Null if the text is no scene: links are typed and cut off.
  const boxes = text.split("~").map((box) => (box ? box.split(".").map(decodeOne) : []));
  return boxes.length === 3 && boxes.every((box) => box.length <= MOST && box.every(Boolean)) ? boxes : null;
}

function decodeOne(text) {
  const found = /^([kby])([cst])(10|20|30)-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (!found) return null;
  const name = (letter, names) => names.find((one) => LETTERS[one] === letter);
  const [size, x, y] = found.slice(3).map(Number);
  if (x > SIDE - size || y > SIDE - size) return null;
  return named({ color: name(found[1], COLORS), shape: name(found[2], SHAPES), size, x, y });
}

export const nameOf = (thing) =>
  `${{ 10: "small", 20: "medium", 30: "big" }[thing.size]} ${thing.color} ${thing.shape}`;

export function find(boxes, id) {
  for (const [box, held] of boxes.entries()) {
    const index = held.findIndex((thing) => thing.id === id);
    if (index >= 0) return { box, index, thing: held[index] };
  }
  return null;
}

export const looksLikeTowers = (boxes) =>
  boxes.flat().length > 0 &&
  boxes.every(
    (box) =>
      box.length <= TALLEST &&
      box.every((thing) => thing.shape === "square" && thing.size === BLOCK && thing.x === TOWER_X),
  );

const overlap = (one, other) =>
  one.x < other.x + other.size && other.x < one.x + one.size &&
  one.y < other.y + other.size && other.y < one.y + one.size;

const fits = (thing, box) => !box.some((other) => other.id !== thing.id && overlap(thing, other));

const within = (value, size) => Math.min(Math.max(Math.round(value), 0), SIDE - size);

// -- towers: a box is an array from the base to the top ---------------------------------------------------------------

export function stack(boxes) {
  for (const box of boxes) {
    box.forEach((thing, index) =>
      Object.assign(thing, { x: TOWER_X, y: SIDE - BLOCK - index * (BLOCK + 1), size: BLOCK, shape: "square" }),
    );
  }
  return boxes;
}

export const fromBase = (boxes) => boxes.map((box) => [...box].sort((one, other) => other.y - one.y));

export const asTowers = (boxes) => stack(fromBase(copy(boxes)).map((box) => box.slice(0, TALLEST)));

export const hasRoom = (box, towers) => box.length < (towers ? TALLEST : MOST);

// -- changes: each gives new boxes, or null if there is no room -------------------------------------------------------

export function add(boxes, index, look, towers) {
  const changed = copy(boxes);
  const box = changed[index];
  if (!hasRoom(box, towers)) return null;
  const thing = named({ ...look, x: 0, y: 0 });
  if (towers) {
    box.push(thing);
    return { boxes: stack(changed), id: thing.id };
  }
  const place = freePlace(thing, box);
  if (!place) return null;
  box.push(Object.assign(thing, place));
  return { boxes: changed, id: thing.id };
}

function freePlace(thing, box) {
  // The place that is furthest from everything, so that a new object neither touches nor hides.
  let best = null;
  for (let y = 0; y <= SIDE - thing.size; y += 5) {
    for (let x = 0; x <= SIDE - thing.size; x += 5) {
      const tried = { ...thing, x, y };
      if (!fits(tried, box)) continue;
      const walls = Math.min(x, y, SIDE - thing.size - x, SIDE - thing.size - y);
      const room = Math.min(walls, ...box.map((other) => gap(tried, other)));
      if (!best || room > best.room) best = { x, y, room };
    }
  }
  return best && { x: best.x, y: best.y };
}

const gap = (one, other) =>
  Math.max(
    Math.max(one.x, other.x) - Math.min(one.x + one.size, other.x + other.size),
    Math.max(one.y, other.y) - Math.min(one.y + one.size, other.y + other.size),
  );

export function remove(boxes, id, towers) {
  const changed = copy(boxes).map((box) => box.filter((thing) => thing.id !== id));
  return towers ? stack(changed) : changed;
}

export function alter(boxes, id, look) {
  // Another size keeps the centre, and gives way to neighbours where it can.
  const changed = copy(boxes);
  const { box, thing } = find(changed, id);
  const moved = (look.size ?? thing.size) - thing.size;
  Object.assign(thing, look);
  if (moved) {
    thing.x = within(thing.x - moved / 2, thing.size);
    thing.y = within(thing.y - moved / 2, thing.size);
    if (!fits(thing, changed[box])) {
      const place = freePlace(thing, changed[box].filter((other) => other !== thing));
      if (!place) return null;
      Object.assign(thing, place);
    }
  }
  return changed;
}

export function move(boxes, id, target, x, y, towers) {
  // To a place in a box: the top-left corner in a scattered picture, the nearest height in a tower.
  const changed = copy(boxes);
  const { box, index, thing } = find(changed, id);
  if (box !== target && !hasRoom(changed[target], towers)) return null;
  changed[box].splice(index, 1);
  if (towers) {
    const height = Math.round((SIDE - BLOCK - y) / (BLOCK + 1));
    changed[target].splice(Math.min(Math.max(height, 0), changed[target].length), 0, thing);
    return stack(changed);
  }
  const wanted = { ...thing, x: within(x, thing.size), y: within(y, thing.size) };
  const slid = [wanted, { ...wanted, y: thing.y }, { ...wanted, x: thing.x }].find((one) => fits(one, changed[target]));
  if (!slid) return null;
  if (box === target) changed[target].splice(index, 0, slid);
  else changed[target].push(slid);
  return changed;
}
