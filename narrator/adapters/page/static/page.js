"use strict";
// Shows what the narrator says, and sends what is pressed. Every text comes from the page itself.

const page = document.body;
const texts = page.dataset;
const isHand = texts.page === "hand";
const get = (id) => document.getElementById(id);
const KEPT = 300; // lines in the document; older ones are in the history of the evening
const LOST_AFTER = 2500; // milliseconds without a sign of life
const TRIES = 8; // times that a press is sent before it is given up

let ask = null;
let view = {};
let timer = { left: null, total: 0, at: 0 };
let last = "";
let heardAt = Date.now();
let source = null;
let over = false;
let wanted = ""; // the seat that was chosen on this phone

function say(text) {
  if (get("status").textContent !== text) get("status").textContent = text;
}

// --- what comes in

function connect() {
  if (source) source.close();
  source = new EventSource("/events" + (last ? "?last=" + encodeURIComponent(last) : ""));
  for (const [kind, act] of Object.entries(ACTS)) {
    source.addEventListener(kind, (event) => {
      heardAt = Date.now();
      if (get("status").textContent === texts.lost) say(texts.back);
      if (event.lastEventId) last = event.lastEventId;
      act(JSON.parse(event.data));
    });
  }
}

const ACTS = {
  fresh() {
    get("lines").replaceChildren();
  },
  beat() {},
  line(data) {
    const lines = get("lines");
    const follows = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 80;
    const item = document.createElement("p");
    item.textContent = data.text;
    item.dataset.line = data.id;
    if (data.spoken) item.classList.add(lines.querySelector(".speaking") ? "coming" : "speaking");
    if (data.role === "shown") item.classList.add("shown");
    lines.append(item);
    while (lines.children.length > KEPT) lines.firstChild.remove();
    if (follows) lines.scrollTop = lines.scrollHeight;
  },
  said(data) {
    for (const item of document.querySelectorAll("#lines .speaking, #lines .coming")) {
      if (item.dataset.line === String(data.id)) item.classList.remove("speaking", "coming");
    }
    const next = document.querySelector("#lines .coming");
    if (next && !document.querySelector("#lines .speaking")) next.classList.replace("coming", "speaking");
  },
  ask(data) {
    // Asked again when its line was said: what was chosen meanwhile stays.
    const same = ask && JSON.stringify({ ...ask, listen: 0 }) === JSON.stringify({ ...data, listen: 0 });
    ask = data;
    over = false; // another game of the evening
    if (get("status").textContent === texts.over) say("");
    seatAll(data.seats);
    if (!same) {
      if (isHand) touch();
      showAsk();
    }
  },
  view(data) {
    view = data;
    showView();
  },
  timer(data) {
    timer = { ...data, at: Date.now() };
    showTimer();
  },
  fault() {},
  ended() {
    over = true;
    ask = null;
    showAsk();
    say(texts.over);
  },
};

// --- what is shown

function seat() {
  return isHand ? get("seat").value : "";
}

// Others may sit down between two games, and a page may be loaded before anybody has.
function seatAll(names) {
  if (!isHand || !names.length) return;
  const select = get("seat");
  const known = [...select.options].slice(1).map((option) => option.value);
  if (known.join("\n") === names.join("\n")) return;
  select.replaceChildren(select.options[0], ...names.map((name) => new Option(name, name)));
  select.value = names.includes(wanted) ? wanted : "";
}

// With eyes closed a phone is felt: when its own seat is called, and when all eyes open again.
function touch() {
  if (!navigator.vibrate) return;
  if (ask.eyes_closed && ask.buttons.length && ask.seat && ask.seat === seat()) navigator.vibrate(400);
  if (!ask.eyes_closed && page.classList.contains("night")) navigator.vibrate([200, 150, 200]);
}

function fill(text, name) {
  return text.replace("{name}", name);
}

function showView() {
  const whose = (ask && ask.seat) || view.seat;
  let turn = whose ? fill(texts.turnOf, whose) : "";
  if (isHand && whose && whose === seat()) turn = texts.yourTurn;
  if (get("turn").textContent !== turn) get("turn").textContent = turn;
  const scores = get("scores");
  if (scores) {
    scores.replaceChildren(
      ...Object.entries(view.totals || {}).map(([name, points]) => {
        const item = document.createElement("li");
        item.textContent = name + ": " + points;
        return item;
      }),
    );
  }
}

function showTimer() {
  const bar = get("bar");
  bar.hidden = timer.left === null;
  if (timer.left === null) {
    get("timer").textContent = "";
    return;
  }
  const left = Math.max(0, timer.left - (Date.now() - timer.at) / 1000);
  const whole = Math.ceil(left);
  const shown = Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0");
  if (get("timer").textContent !== shown) get("timer").textContent = shown;
  bar.max = timer.total || 1;
  bar.value = left;
}

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", () => act(made));
  return made;
}

function showAsk() {
  get("prompt").textContent = ask ? ask.prompt : "";
  showView();
  page.classList.toggle("night", Boolean(ask && ask.eyes_closed));
  if (!isHand) return;
  get("commands").hidden = !ask || !ask.commands.length;
  for (const command of get("commands").querySelectorAll("button")) {
    command.hidden = !ask || !ask.commands.includes(command.dataset.command);
  }
  const focused = document.activeElement && get("buttons").contains(document.activeElement);
  get("buttons").replaceChildren(...made());
  if (focused && get("buttons").querySelector("button")) get("buttons").querySelector("button").focus();
}

function made() {
  if (!ask) return [];
  if (ask.eyes_closed) return [night()];
  if (ask.seat && seat() && ask.seat !== seat()) return [];
  if (!ask.prompt && !ask.buttons.length) return [];
  return { several, points, words }[ask.picking]?.() || one();
}

// With eyes closed there is always this one button, no matter who is called and what is awaited.
function night() {
  const label = ask.buttons.length ? ask.buttons[0][1] : texts.closedEyes;
  return button(label, () => send({ line: "", listen: ask.listen }));
}

function answer(line) {
  send({ line, listen: ask.listen });
}

function one() {
  return ask.buttons.map(([line, label]) => button(label, () => answer(line)));
}

function several() {
  const chosen = new Set();
  const names = ask.buttons.map(([line, label, nobody]) => {
    const item = button(label, (self) => {
      if (nobody) return answer(line);
      chosen.has(line) ? chosen.delete(line) : chosen.add(line);
      self.setAttribute("aria-pressed", String(chosen.has(line)));
      done.disabled = !chosen.size;
    });
    if (!nobody) item.setAttribute("aria-pressed", "false");
    return item;
  });
  const done = button(texts.send, () => answer([...chosen].join(" ")));
  done.className = "wide";
  done.disabled = true;
  return [...names, done];
}

function points() {
  const held = new Map();
  const rows = ask.buttons.flatMap(([line, label, nobody]) => {
    if (nobody) return [button(label, () => answer(line))];
    held.set(line, 0);
    const row = document.createElement("div");
    row.className = "points";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", label);
    const name = document.createElement("b");
    name.textContent = label;
    const number = document.createElement("output");
    number.textContent = "0";
    const by = (step) => () => {
      held.set(line, Math.min(ask.high, Math.max(Math.min(0, ask.low), held.get(line) + step)));
      number.textContent = String(held.get(line));
      done.disabled = [...held.values()].every((value) => value === 0);
    };
    const less = button("\u2212", by(-1));
    less.setAttribute("aria-label", fill(texts.less, label));
    const more = button("+", by(1));
    more.setAttribute("aria-label", fill(texts.more, label));
    row.append(name, less, number, more);
    return [row];
  });
  const done = button(texts.send, () => {
    const told = [...held].filter(([, value]) => value !== 0).map(([name, value]) => name + " " + value);
    answer(told.join(" "));
  });
  done.className = "wide";
  done.disabled = true;
  return [...rows, done];
}

function words() {
  const field = document.createElement("input");
  field.id = "typed";
  field.maxLength = 400;
  field.autocomplete = "off";
  field.setAttribute("aria-label", ask.prompt);
  field.className = "wide";
  const done = button(texts.send, () => field.value.trim() && answer(field.value.trim()));
  return [field, done];
}

// --- what goes out

function number() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16)).join("-");
}

async function send(press, id = number(), tries = TRIES) {
  const body = JSON.stringify({ ...press, by: seat(), number: id });
  try {
    const got = await fetch("/press", { method: "POST", body, headers: { "Content-Type": "application/json" } });
    if (got.status === 503) throw new Error("busy");
    const told = (await got.json()).told;
    say(told || "");
  } catch {
    if (tries > 1) setTimeout(() => send(press, id, tries - 1), 500);
    else say(texts.unsent);
  }
}

if (isHand) {
  try {
    wanted = sessionStorage.getItem("seat") || "";
    get("seat").value = wanted;
  } catch {
    // a browser that keeps nothing
  }
  get("seat").addEventListener("change", () => {
    wanted = seat();
    try {
      sessionStorage.setItem("seat", seat());
    } catch {
      // a browser that keeps nothing
    }
    showAsk();
  });
  get("answer").addEventListener("submit", (event) => {
    event.preventDefault();
    const done = get("buttons").querySelector("button:last-child");
    if (done) done.click();
  });
  for (const command of get("commands").querySelectorAll("button")) {
    command.hidden = true;
    command.addEventListener("click", () => send({ command: command.dataset.command }));
  }
}
setInterval(() => {
  if (timer.left !== null) showTimer();
  if (over || Date.now() - heardAt < LOST_AFTER) return;
  if (!page.classList.contains("night")) say(texts.lost);
  heardAt = Date.now();
  connect();
}, 250);
connect();
