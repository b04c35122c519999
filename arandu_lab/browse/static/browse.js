// What a page does more with a script: keys, lists that go when something is chosen, and the slider's live update.
// Every page works without it; the slider then has a button.
"use strict";
document.documentElement.classList.add("js");

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);
const typing = (at) => at && (at.matches("input:not([type=range]):not([type=checkbox]), textarea, select") || at.isContentEditable);

function step(by) {
  const all = rows();
  if (!all.length) return;
  const now = all.findIndex((row) => row.contains(document.activeElement));
  const row = all[Math.min(all.length - 1, Math.max(0, now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by))];
  const aim = row.querySelector("a.main") || row;
  aim.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = document.activeElement;
  if (typing(at)) {
    if (event.key === "Escape") at.blur();
    return;
  }
  const go = (query) => document.querySelector(query)?.click();
  const act = {
    "/": () => { const box = document.querySelector("[data-search]"); box?.focus(); box?.select(); },
    "j": () => step(1),
    "k": () => step(-1),
    "n": () => go("a[rel=next]"),
    "p": () => go("a[rel=prev]"),
    "e": () => document.querySelector("[data-edit]")?.focus(),
    "?": () => document.getElementById("keys")?.togglePopover(),
  }[event.key] || (/^[1-9]$/.test(event.key) ? () => go(`a[data-tab="${event.key}"]`) : null);
  if (act) { event.preventDefault(); act(); }
});

for (const list of document.querySelectorAll("select[data-go]")) {
  list.addEventListener("change", () => list.form.requestSubmit());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const before = button.textContent;
    button.textContent = button.dataset.said;
    setTimeout(() => { button.textContent = before; }, 1500);
  });
}

// Names that begin with the word at the cursor, as buttons under the box; Tab goes to them, a click writes one.
const box = document.querySelector("textarea[data-names]"), offer = document.querySelector("[data-offer]");
if (box && offer) {
  const names = [...document.getElementById(box.dataset.names).options].map((one) => one.value);
  const flat = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const write = (name, start, end) => {
    box.setRangeText(name, start, end, "end");
    box.focus();
    suggest();
  };
  const suggest = () => {
    const end = box.selectionStart, begun = box.value.slice(0, end).match(/[\p{L}\p{N}'’-]{2,}$/u);
    const word = begun ? flat(begun[0]) : "";
    const found = word ? names.filter((name) => flat(name).split(/\s+/).some((part) => part.startsWith(word)) && flat(name) !== word).slice(0, 5) : [];
    for (const button of offer.querySelectorAll("button")) button.remove();
    for (const name of found) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => write(name, end - begun[0].length, end));
      offer.append(button);
    }
    offer.hidden = !found.length;
  };
  box.addEventListener("input", suggest);
  if (document.activeElement === box) suggest();  // what was typed before this script came counts too
}

const slider = document.getElementById("day");
if (slider) {
  const held = document.getElementById("held"), said = document.getElementById("said");
  const mark = document.getElementById("mark"), date = document.getElementById("at");
  const first = Date.parse(slider.dataset.first + "T00:00:00Z");
  const lang = document.documentElement.lang;
  const shown = new Intl.DateTimeFormat(lang === "pt" ? "pt-BR" : "en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  let waiting = 0, running = null;
  const load = async (day) => {
    running?.abort();
    running = new AbortController();
    try {
      const answer = await fetch(`${slider.dataset.part}&at=${day}`, { signal: running.signal });
      if (!answer.ok) throw new Error(answer.status);
      held.innerHTML = await answer.text();
      const address = new URL(location);
      for (const gone of ["day", "page", "done"]) address.searchParams.delete(gone);
      address.searchParams.set("at", day);
      history.replaceState(null, "", address);
    } catch (error) {
      if (error.name === "AbortError") return;
      const told = document.createElement("p");  // never yesterday's list under today's date
      told.className = "empty";
      told.textContent = slider.dataset.gone;
      held.replaceChildren(told);
    }
  };
  slider.addEventListener("input", () => {
    const moment = new Date(first + slider.valueAsNumber * 864e5), day = moment.toISOString().slice(0, 10);
    const words = shown.format(moment).replaceAll(" de ", " ").replaceAll(".", "");
    said.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    date.value = day;
    mark.setAttribute("x", Math.max(0, 1000 * slider.valueAsNumber / Math.max(1, slider.max) - 1.5));
    clearTimeout(waiting);
    waiting = setTimeout(load, 60, day);
  });
}
