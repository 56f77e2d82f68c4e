"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const [board, list, which, slider] = ["board", "list", "which", "ply"].map(at);
let game, line = [], ply = 0;

const opening = g => line_of(g).slice(0, g[5]).map(step => step[0]).join(" ");
function line_of(g) {
  return g[6] ? g[6].split(" ").map(number => data.steps[parseInt(number, 36)]) : [];
}

// "12.1  1–0  a – b  goal, 60 plies"
function told(g) {
  const result = ["1–0", "0–1", "½–½"][g[3]];
  return `${g[0]}  ${result}  ${data.names[g[1]]} – ${data.names[g[2]]}  ${g[4]}, ${line_of(g).length} plies`;
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
  const moves = line.map(([text], i) => {
    const made = document.createElement("button");
    made.textContent = text;
    if (i < game[5]) made.className = "opening";
    made.addEventListener("click", () => go(i + 1));
    return made;
  });
  at("moves").replaceChildren(...moves);
  go(line.length);
}

function go(to) {
  ply = Math.max(0, Math.min(line.length, to));
  const seen = new Set(data.empty);
  line.slice(0, ply).forEach(([, come, gone]) => { gone.forEach(s => seen.delete(s)); come.forEach(s => seen.add(s)); });
  const fresh = new Set(ply ? line[ply - 1][1] : []);
  const sorted = [...seen].sort((a, b) => data.shapes[a][0] - data.shapes[b][0] || a - b);
  board.innerHTML = sorted.map(s => fresh.has(s) ? `<g class="new">${data.shapes[s][1]}</g>` : data.shapes[s][1]).join("");
  slider.value = ply;
  const mover = i => data.sides[i % 2], name = i => data.names[game[1 + i]];
  const last = ply ? `${ply}. ${mover(ply - 1)} ${line[ply - 1][0]}. ` : "";
  const end = game[3] === 2 ? "Draw" : `${data.sides[game[3]]} (${name(game[3])}) won`;
  const next = ply === line.length ? `${end}: ${game[4]}.` : `${mover(ply)} to move.`;
  at("caption").textContent = `${data.sides[0]} ${name(0)}, ${data.sides[1]} ${name(1)}. ${last}${next}`;
  [...at("moves").children].forEach((made, i) =>
    i + 1 === ply ? made.setAttribute("aria-current", "true") : made.removeAttribute("aria-current"));
}

board.setAttribute("viewBox", `-4 -14 ${data.width + 8} ${data.height + 28}`);
which.addEventListener("change", choose);
list.addEventListener("change", () => show(+list.value));
slider.addEventListener("input", () => go(+slider.value));
for (const [id, to] of [["first", () => 0], ["back", () => ply - 1], ["on", () => ply + 1], ["last", () => line.length]])
  at(id).addEventListener("click", () => go(to()));
document.addEventListener("keydown", event => {
  if (event.target.closest?.("select, input, .wide") || event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: line.length }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
document.querySelectorAll("button.opening").forEach(made => made.addEventListener("click", () => {
  after(made.dataset.opening);
  at("games").scrollIntoView();
  list.focus();
}));
if (data.games.length) fill(() => true);
