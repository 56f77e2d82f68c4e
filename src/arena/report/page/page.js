const [list, which] = ["list", "which"].map(at);
let game, line = [], ply = 0;

const opening = g => line_of(g).slice(0, g[5]).map(step => step[0]).join(" ");
function line_of(g) {
  return g[6] ? g[6].split(" ").map(number => data.steps[parseInt(number, 36)]) : [];
}

// "12.1  1–0  a – b  goal, 60 plies"
function told(g) {
  const result = ["1–0", "0–1", "½–½"][g[3]];
  return `${g[0]}  ${result}  ${data.names[g[1]]} – ${data.names[g[2]]}  ${g[4]}, ${line_of(g).length - g[7]} plies`;
}

function option(text, value) {
  const made = document.createElement("option");
  made.textContent = text;
  made.value = value;
  return made;
}

// Which games are listed.
const kinds = [["all engines", () => true]];
for (const [i, one] of data.names.entries()) {
  kinds.push([`${one} as ${data.sides[0]}`, g => g[1] === i], [`${one} as ${data.sides[1]}`, g => g[2] === i]);
  kinds.push([`${one}, lost`, g => g[1] === i && g[3] === 1 || g[2] === i && g[3] === 0]);
}
kinds.forEach(([text], i) => which.append(option(text, i)));

// The games of an opening are a kind of their own until another kind is chosen.
function after(moves) {
  which.querySelector("[data-chosen]")?.remove();
  const made = option(`after ${moves || "the empty board"}`, kinds.length);
  made.dataset.chosen = "";
  which.append(made);
  which.value = made.value;
  fill(g => opening(g) === moves);
}

function choose() {
  fill(kinds[which.value][1]);
  which.querySelector("[data-chosen]")?.remove();
}

function fill(wanted) {
  const found = data.games.flatMap((g, i) => wanted(g) ? [option(told(g), i)] : []);
  list.replaceChildren(...found);
  if (found.length) { list.selectedIndex = 0; show(+list.value); }
}

function show(i) {
  game = data.games[i];
  line = line_of(game);
  slider.max = line.length;
  const moves = line.map(([text], i) => move_button(text, i < game[5] && "opening", () => go(i + 1)));
  at("moves").replaceChildren(...moves);
  go(line.length);
}

function go(to) {
  ply = Math.max(0, Math.min(line.length, to));
  draw_line(line.slice(0, ply));
  slider.value = ply;
  // A step that sets a position up is no move.
  const moves = Math.max(0, ply - game[7]), mover = i => data.sides[(i + game[8]) % 2], name = i => data.names[game[1 + i]];
  const last = moves ? `${moves}. ${mover(moves - 1)} ${line[ply - 1][0]}. ` : "";
  const end = game[3] === 2 ? "Draw" : `${data.sides[game[3]]} (${name(game[3])}) won`;
  const next = ply === line.length ? `${end}: ${game[4]}.` : `${mover(moves)} to move.`;
  at("caption").textContent = `${data.sides[0]} ${name(0)}, ${data.sides[1]} ${name(1)}. ${last}${next}`;
  mark_current(at("moves").children, ply - 1);
}

which.addEventListener("change", choose);
list.addEventListener("change", () => show(+list.value));
steer(() => [ply, line.length], go);
document.querySelectorAll("button.opening").forEach(made => made.addEventListener("click", () => {
  after(made.dataset.opening);
  at("games").scrollIntoView();
  list.focus();
}));
if (data.games.length) fill(() => true);
