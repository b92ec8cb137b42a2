// The form: queries A, B, C, their tag filters, the range, and the address that holds them all.
import { suggest, tagKeys, tagValues } from "./ask.mjs";
import { combobox } from "./combobox.mjs";
import { autoStep, clock, stepSeconds, timeOf } from "./points.mjs";

const $ = (id) => document.getElementById(id);
const LETTERS = "ABCDEFGH";
const QUERY_FIELDS = ["metric", "aggregator", "reducer", "values"];
const PAGE_FIELDS = ["range", "interval", "zone", "refresh", "lines", "rank", "charts"];
const HOUR = 3600e3;
const RANGES = { h: HOUR, d: 24 * HOUR, y: 365 * 24 * HOUR };
const POINTS_WANTED = 1000;

// What "whole history" asks for first: from the first second to the last day of 2099.
const EVER = { start: 1000, end: Date.UTC(2100, 0, 1) - 1000 };

let functions = [];
let made = 0;
let between = { start: 0, end: 0 }; // The exact times; the two inputs show seconds.

export const zone = () => {
  const chosen = $("zone").value;
  return chosen === "browser" ? Intl.DateTimeFormat().resolvedOptions().timeZone : chosen;
};

function addOption(select, value) {
  if (![...select.options].some((option) => option.value === value)) {
    select.add(new Option(value));
  }
}

const queries = () => [...$("queries").children];

function letter() {
  const all = queries();
  all.forEach((box, i) => {
    box.querySelector("legend").textContent = `Query ${LETTERS[i]}`;
    box.classList.toggle("only", all.length === 1);
    box.querySelector(".remove-query").setAttribute("aria-label", `Remove query ${LETTERS[i]}`);
  });
  $("add-query").hidden = all.length >= LETTERS.length;
}

/** Adds a tag filter to a query's box, and gives back its row. */
function addFilter(box, given) {
  const row = $("filter").content.firstElementChild.cloneNode(true);
  const n = made++;
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", `Tag filter ${box.querySelectorAll(".filter").length + 1}`);
  for (const name of ["tagk", "type", "tagv", "group"]) {
    const control = row.querySelector(`.${name}`);
    control.id = `${name}${n}`;
    control.closest(".field").querySelector("label").htmlFor = control.id;
  }
  const metric = () => box.querySelector(".metric input").value.trim();
  const tagk = row.querySelector(".tagk");
  const tagv = row.querySelector(".tagv");
  combobox(tagk, tagk.nextElementSibling, (q) => tagKeys(metric(), q));
  combobox(tagv, tagv.nextElementSibling, (q) => tagValues(metric(), tagk.value.trim(), q));
  tagv.addEventListener("change", () => {
    const type = row.querySelector(".type");
    if (type.value === "wildcard" && !tagv.value.includes("*")) {
      type.value = "literal_or";
    } else if (type.value === "literal_or" && tagv.value.includes("*")) {
      type.value = "wildcard";
    }
  });
  row.querySelector(".remove").addEventListener("click", () => {
    row.remove();
    box.querySelector(".add").focus();
  });
  if (given) {
    tagk.value = given.tagk;
    tagv.value = given.filter;
    row.querySelector(".type").value = given.type;
    row.querySelector(".group").checked = given.groupBy;
  }
  box.querySelector(".filters").append(row);
  return row;
}

/** Adds an empty query and gives back its box. The first one's controls have plain ids. */
export function addQuery(onMetric) {
  const box = $("one-query").content.firstElementChild.cloneNode(true);
  const suffix = $("metric") ? `-${made++}` : "";
  for (const control of box.querySelectorAll("[data-name]")) {
    control.id = control.dataset.name + suffix;
    const label = box.querySelector(`label[for=${control.dataset.name}]`);
    if (label) {
      label.htmlFor = control.id;
    }
  }
  for (const name of functions) {
    addOption(box.querySelector("[data-name=aggregator]"), name);
    if (name !== "none") {
      addOption(box.querySelector("[data-name=reducer]"), name);
    }
  }
  const metric = box.querySelector("[data-name=metric]");
  combobox(metric, metric.nextElementSibling, (q) => suggest("metrics", q));
  metric.addEventListener("change", () => metric.value.trim() && onMetric());
  box.querySelector(".add").addEventListener("click", () => addFilter(box).querySelector(".tagk").focus());
  box.querySelector(".remove-query").addEventListener("click", () => {
    box.remove();
    letter();
    $("add-query").focus();
  });
  $("queries").append(box);
  letter();
  return box;
}

/** The functions that this TSD knows, for all queries. */
export function offerFunctions(names) {
  functions = [...names].sort();
  for (const box of queries()) {
    for (const name of functions) {
      addOption(box.querySelector("[data-name=aggregator]"), name);
      if (name !== "none") {
        addOption(box.querySelector("[data-name=reducer]"), name);
      }
    }
  }
}

const filtersOf = (box) =>
  [...box.querySelectorAll(".filter")]
    .map((row) => ({
      type: row.querySelector(".type").value,
      tagk: row.querySelector(".tagk").value.trim(),
      filter: row.querySelector(".tagv").value.trim(),
      groupBy: row.querySelector(".group").checked,
    }))
    .filter((filter) => filter.tagk && filter.filter);

/** The range that the form means now, in ms; whole is set if it means all there is. */
export function span() {
  const range = $("range").value;
  if (range === "whole") {
    return { ...EVER, whole: true };
  }
  if (range !== "between") {
    const end = Date.now();
    return { start: end - parseInt(range, 10) * RANGES[range.replace(/[0-9]|-ago/g, "")], end };
  }
  if (!(between.start < between.end)) {
    throw new Error("Give a start and an end, the start before the end.");
  }
  return { ...between };
}

/** The downsampling interval for a range: chosen, or found for so many points; "" for none. */
export function step({ start, end, whole }, pointsWanted = POINTS_WANTED) {
  const chosen = $("interval").value;
  if (chosen !== "auto") {
    return chosen;
  }
  // The span is not known yet: days are fine enough to find it, and few enough for any history.
  return whole ? "1d" : autoStep(start, end, pointsWanted);
}

/** Chooses a downsampling interval. */
export function setStep(interval) {
  addOption($("interval"), interval);
  $("interval").value = interval;
}

/** A body of api/query for each query that names a metric, with its letter. */
export function requests(range, interval) {
  const { start, end } = range;
  return queries()
    .map((box, i) => {
      const value = (name) => box.querySelector(`[data-name=${name}]`).value.trim();
      const query = { metric: value("metric"), aggregator: value("aggregator"), filters: filtersOf(box) };
      if (interval) {
        query.downsample = `${interval}-${value("reducer")}`;
      }
      if (value("values")) {
        query.valueFilter = value("values");
      }
      if (box.querySelector("[data-name=rate]").checked) {
        query.rate = true;
      }
      return { letter: LETTERS[i], body: { start, end, msResolution: true, queries: [query] } };
    })
    .filter(({ body }) => body.queries[0].metric);
}

function showBetween() {
  const show = $("range").value === "between";
  document.querySelectorAll(".between").forEach((field) => (field.hidden = !show));
  $("from").required = show;
  $("to").required = show;
  document.querySelectorAll(".unit").forEach((unit) => (unit.textContent = `(${zone()})`));
  if (between.end) {
    $("from").value = clock(between.start, zone());
    $("to").value = clock(between.end, zone());
  }
}

/** Sets the range to exact times. */
export function setBetween(start, end) {
  $("range").value = "between";
  between = { start, end };
  showBetween();
}

/** The whole form as the fragment of an address. Fields of a query follow its metric. */
export function address() {
  const state = new URLSearchParams();
  for (const box of queries()) {
    for (const name of QUERY_FIELDS) {
      const value = box.querySelector(`[data-name=${name}]`).value.trim();
      if (value || name !== "values") {
        state.append(name, value);
      }
    }
    if (box.querySelector("[data-name=rate]").checked) {
      state.append("rate", "on");
    }
    for (const f of filtersOf(box)) {
      state.append("tag", JSON.stringify([f.tagk, f.type, f.filter, f.groupBy]));
    }
  }
  for (const name of PAGE_FIELDS) {
    const control = $(name);
    if (name === "range" || control.value !== control.querySelector("[selected]").value) {
      state.set(name, control.value);
    }
  }
  if ($("range").value === "between") {
    state.set("from", clock(between.start, "UTC"));
    state.set("to", clock(between.end, "UTC"));
  }
  return `#${state}`;
}

/** Fills the form from the address; whether it names a metric. What does not fit is passed over. */
export function recall(onMetric) {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const name of PAGE_FIELDS) {
    const control = $(name);
    const value = state.get(name) ?? control.querySelector("[selected]").value;
    if (name === "interval" && stepSeconds(value) > 0) {
      addOption(control, value);
    }
    if ([...control.options].some((option) => option.value === value)) {
      control.value = value;
    }
  }
  if (state.has("from") && state.has("to")) {
    between = { start: timeOf(state.get("from"), "UTC"), end: timeOf(state.get("to"), "UTC") };
    if (Number.isNaN(between.start + between.end)) {
      between = { start: 0, end: 0 };
    }
  }
  showBetween();

  $("queries").replaceChildren();
  let box = addQuery(onMetric);
  let named = false;
  for (const [name, value] of state) {
    if (name === "metric" && named && queries().length < LETTERS.length) {
      box = addQuery(onMetric);
    }
    if (QUERY_FIELDS.includes(name)) {
      const control = box.querySelector(`[data-name=${name}]`);
      if (control.options && /^[a-z]\w*$/i.test(value)) {
        addOption(control, value); // The whole list of functions comes later.
      }
      if (!control.options || [...control.options].some((option) => option.value === value)) {
        control.value = value;
      }
      named ||= name === "metric";
    } else if (name === "rate") {
      box.querySelector("[data-name=rate]").checked = value === "on";
    } else if (name === "tag") {
      try {
        const [tagk, type, filter, groupBy] = JSON.parse(value);
        addFilter(box, { tagk: String(tagk), type: String(type), filter: String(filter), groupBy: groupBy === true });
      } catch (e) {
        // A mangled address is no reason to show nothing.
      }
    }
  }
  return queries().some((one) => one.querySelector("[data-name=metric]").value.trim());
}

/** Puts life into the controls of range and zone; onChange hears that the zone is another. */
export function prepare(onZone) {
  const home = Intl.DateTimeFormat().resolvedOptions().timeZone;
  $("zone").querySelector("[value=browser]").textContent = `Browser (${home})`;
  for (const name of Intl.supportedValuesOf("timeZone")) {
    if (name !== "UTC") {
      addOption($("zone"), name);
    }
  }
  $("zone").addEventListener("change", () => {
    showBetween();
    onZone();
  });
  $("range").addEventListener("change", () => {
    if ($("range").value === "between" && !between.end) {
      const now = Math.floor(Date.now() / 1000) * 1000;
      between = { start: now - 24 * HOUR, end: now };
    }
    showBetween();
  });
  for (const [id, side] of [["from", "start"], ["to", "end"]]) {
    $(id).addEventListener("change", () => (between[side] = timeOf($(id).value, zone())));
  }
}
