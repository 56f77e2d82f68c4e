"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const [board, slider] = ["board", "ply"].map(at);
board.setAttribute("viewBox", `-4 -14 ${data.width + 8} ${data.height + 28}`);

// The shapes that are there after these steps, each a text, the shapes that come and those that go.
function seen_after(steps) {
  const seen = new Set(data.empty);
  steps.forEach(([, come, gone]) => { gone.forEach(s => seen.delete(s)); come.forEach(s => seen.add(s)); });
  return seen;
}

// Draws shapes; each of those in `classes` has a class of its own.
function draw(seen, classes) {
  const sorted = [...seen].sort((a, b) => data.shapes[a][0] - data.shapes[b][0] || a - b);
  const drawn = s => classes.has(s) ? `<g class="${classes.get(s)}">${data.shapes[s][1]}</g>` : data.shapes[s][1];
  board.innerHTML = sorted.map(drawn).join("");
}

// Draws the position after these steps; what the last of them brings stands out.
function draw_line(steps) {
  const fresh = steps.length ? steps[steps.length - 1][1] : [];
  draw(seen_after(steps), new Map(fresh.map(s => [s, "new"])));
}

// A button for a move.
function move_button(text, kind, act) {
  const made = document.createElement("button");
  made.textContent = text;
  if (kind) made.className = kind;
  made.addEventListener("click", act);
  return made;
}

// Marks the one of some buttons that is current.
function mark_current(buttons, current) {
  [...buttons].forEach((made, i) =>
    i === current ? made.setAttribute("aria-current", "true") : made.removeAttribute("aria-current"));
}

// Lets the slider, the buttons and the keys go to a move; `here` gives the move that is shown and the last one.
function steer(here, go) {
  slider.addEventListener("input", () => go(+slider.value));
  const places = { first: () => 0, back: () => here()[0] - 1, on: () => here()[0] + 1, last: () => here()[1] };
  for (const id in places) at(id).addEventListener("click", () => go(places[id]()));
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", event => {
    if (event.target.closest?.("select, input, .wide") || event.ctrlKey || event.altKey || event.metaKey) return;
    const place = keys[event.key];
    if (place) { event.preventDefault(); go(places[place]()); }
  });
}
