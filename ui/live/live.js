// Shows what the table sends. The clock counts here, from the rest that the server's clock gave.
(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  const text = (id, said) => { find(id).textContent = said || ""; };
  let clock = null;
  let since = 0;

  function list(id, rows) {
    find(id).replaceChildren(...rows.map(([bold, rest]) => {
      const row = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = bold;
      row.append(name, rest);
      return row;
    }));
  }

  function show(age, state) {
    since = performance.now() - age * 1000;
    clock = state.clock || null;
    document.title = state.title;
    text("title", state.title);
    text("place", state.place);
    text("outcome", state.outcome);
    text("asked", state.asked);
    list("score", (state.score || []).map((said) => {
      const at = said.indexOf(": ");
      return at < 0 ? ["", said] : [said.slice(0, at + 2), said.slice(at + 2)];
    }));
    list("rulings", (state.rulings || []).slice().reverse().map((one) =>
      ["", `${one.text} [${one.cite}]`]));
    tick();
  }

  function tick() {
    const said = find("clock");
    said.hidden = !clock;
    if (!clock) return;
    const run = clock.running ? (performance.now() - since) / 1000 : 0;
    const rest = Math.max(0, clock.rest_s - run);
    said.textContent = rest > 0 ? String(Math.ceil(rest)) : "LOCKED";
    said.dataset.state = rest <= 0 ? "zero" : !clock.running ? "stands" : rest <= 5 ? "last" : "runs";
  }

  function draw(board) {
    const drawn = new DOMParser().parseFromString(board, "text/html").querySelector("svg");
    find("board").replaceChildren(...(drawn ? [drawn] : []));
  }

  const events = new EventSource("events");
  events.addEventListener("board", (event) => draw(JSON.parse(event.data)));
  events.addEventListener("state", (event) => show(...JSON.parse(event.data)));
  events.addEventListener("open", () => { find("lost").hidden = true; });
  events.addEventListener("error", () => { find("lost").hidden = false; });
  setInterval(tick, 100);
})();
