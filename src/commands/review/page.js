const bars = document.querySelectorAll("#chart [data-step]");
// The step of the game that is shown; the mistake whose better line is shown instead, and how many of its moves are.
let step = 0, detour = null, length = 0;

const mistake_at = place => data.mistakes.find(one => one.step === place);
const buttons = data.steps.map(([text], i) => {
  const [mark, chance] = data.values[i];
  return move_button([text, mark, chance].filter(part => part).join(" "), mark && "mistake", () => go(i + 1));
});
at("moves").replaceChildren(...buttons);

function go(to) {
  detour = null;
  step = Math.max(0, Math.min(data.steps.length, to));
  show();
}

// Goes to a move of the better line; 0 is the position before the mistake.
function walk(to) {
  length = Math.max(0, Math.min(detour.line.length, to));
  show();
}

function enter(mistake, to) {
  detour = mistake;
  walk(to);
}

function leave() {
  go(detour ? detour.step : step);
}

function show() {
  const mistake = detour || mistake_at(step);
  if (detour) {
    draw_line([...data.steps.slice(0, detour.step - 1), ...detour.line.slice(0, length)]);
  } else {
    show_position(mistake);
  }
  slider.max = detour ? detour.line.length : data.steps.length;
  slider.value = detour ? length : step;
  at("caption").textContent =
    detour ? `Better line, move ${length} of ${detour.line.length}` : data.captions[step];
  at("better").hidden = !mistake;
  at("leave").hidden = !detour;
  at("told").textContent = mistake ? mistake.told : "";
  const line = mistake ? mistake.line.map(([text], i) => move_button(text, "", () => enter(mistake, i + 1))) : [];
  at("line").replaceChildren(...line);
  mark_current(at("line").children, detour ? length - 1 : -1);
  mark_current(buttons, detour ? -1 : step - 1);
  mark_current(bars, [...bars].findIndex(bar => +bar.dataset.step === (detour ? detour.step - 1 : step)));
}

// A position of the game; after a mistake the better move and the signs that show why are drawn over it.
function show_position(mistake) {
  const seen = seen_after(data.steps.slice(0, step));
  const classes = new Map(step ? data.steps[step - 1][1].map(s => [s, "new"]) : []);
  const better = mistake && mistake.line.length ? mistake.line[0][1] : [];
  for (const s of better) if (!seen.has(s)) { seen.add(s); classes.set(s, "better"); }
  for (const s of mistake ? mistake.signs : []) seen.add(s);
  draw(seen, classes);
}

steer(() => detour ? [length, detour.line.length] : [step, data.steps.length], to => detour ? walk(to) : go(to));
at("leave").addEventListener("click", leave);
bars.forEach(bar => {
  bar.addEventListener("click", () => go(+bar.dataset.step));
  bar.addEventListener("keydown", event => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(+bar.dataset.step); }
  });
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") leave();
  if (event.key === "b" && !detour && mistake_at(step)) enter(mistake_at(step), 1);
});
go(data.mistakes.length ? data.mistakes[0].step : data.steps.length);
