// The scrubber: shows the board, the score and the words of one line of the log at a time.
(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  const course = JSON.parse(find("course").textContent);
  const [board, slider, caption] = [find("board"), find("slider"), find("where")];
  const steps = course.steps;
  let at = -1;
  let playing = 0;

  const lineOf = (step) => find(`line-${steps[step][0]}`);

  function draw(number) {
    const uses = course.boards[number].map((part) => `<use href="#part-${part}"/>`);
    board.innerHTML = uses.join("");
  }

  function tellScore(step) {
    const before = step ? steps[step - 1][2] : steps[0][2];
    const rows = steps[step][2].map((number) => {
      const row = document.createElement("li");
      const [whose, ...rest] = course.said[number].split(": ");
      const name = document.createElement("b");
      name.textContent = rest.length ? `${whose}: ` : "";
      row.append(name, rest.length ? rest.join(": ") : whose);
      if (!before.includes(number)) row.className = "new";
      return row;
    });
    find("score").replaceChildren(...rows);
  }

  function tellNow(line) {
    const now = find("now");
    if (!line) return now.replaceChildren();
    const words = [...line.children].filter((one) => one.tagName !== "FIGURE");
    const copies = words.map((one) => {
      const copy = document.createElement("p");
      copy.className = one.className.replace("told-more", "");
      copy.append(...[...one.childNodes].map((node) => node.cloneNode(true)));
      return copy;
    });
    const cited = [...new Set([...line.querySelectorAll("a[href^='#']")].map((a) => a.hash))];
    const book = document.createElement("dl");
    for (const hash of cited) {
      const term = find(decodeURIComponent(hash.slice(1)));
      if (!term) continue;
      const copy = term.cloneNode(true);
      copy.removeAttribute("id");
      book.append(copy, term.nextElementSibling.cloneNode(true));
    }
    now.replaceChildren(...copies, ...(book.children.length ? [book] : []));
  }

  function show(step, moves = true) {
    step = Math.max(0, Math.min(steps.length - 1, step));
    if (step === at) return;
    const old = at < 0 ? null : lineOf(at);
    if (at < 0 || steps[step][1] !== steps[at][1]) draw(steps[step][1]);
    at = step;
    const line = lineOf(step);
    if (old) old.removeAttribute("aria-current");
    if (line) line.setAttribute("aria-current", "step");
    if (line && moves) line.scrollIntoView({ block: "nearest" });
    slider.value = step;
    const told = `Line ${steps[step][0]} of ${steps[steps.length - 1][0]}`;
    caption.textContent = course.rounds[step] ? `${told} · ${course.rounds[step]}` : told;
    slider.setAttribute("aria-valuetext", caption.textContent);
    tellScore(step);
    tellNow(line);
    for (const id of ["first", "back"]) find(id).disabled = step === 0;
    for (const id of ["on", "last"]) find(id).disabled = step === steps.length - 1;
    if (step === steps.length - 1) stop();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    find("play").classList.remove("playing");
    find("play").setAttribute("aria-label", "Play");
  }

  function play() {
    if (playing) return stop();
    if (at === steps.length - 1) show(0);
    find("play").classList.add("playing");
    find("play").setAttribute("aria-label", "Pause");
    playing = setInterval(() => show(at + 1), 1200);
  }

  function toRound(way) {
    let step = at + way;
    const here = (n) => course.rounds[n];
    if (way < 0) while (step > 0 && here(step) === here(step - 1)) step -= 1;
    else while (step < steps.length - 1 && here(step) === here(at)) step += 1;
    show(step);
  }

  const keys = {
    ArrowRight: () => show(at + 1),
    ArrowLeft: () => show(at - 1),
    Home: () => show(0),
    End: () => show(steps.length - 1),
  };
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey && event.key.startsWith("Arrow")) toRound(event.key === "ArrowRight" ? 1 : -1);
    else deed();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  find("first").addEventListener("click", () => toRound(-1));
  find("back").addEventListener("click", () => show(at - 1));
  find("on").addEventListener("click", () => show(at + 1));
  find("last").addEventListener("click", () => toRound(1));
  find("play").addEventListener("click", play);
  const stepOf = new Map(steps.map((step, n) => [`line-${step[0]}`, n]));
  document.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (line && !event.target.closest("a") && stepOf.has(line.id)) show(stepOf.get(line.id), false);
  });
  const follow = () => {
    const step = stepOf.get(location.hash.slice(1));
    if (step !== undefined) show(step);
  };
  addEventListener("hashchange", follow);
  slider.max = steps.length - 1;
  find("controls").hidden = false;
  show(0, false);
  follow();
})();
