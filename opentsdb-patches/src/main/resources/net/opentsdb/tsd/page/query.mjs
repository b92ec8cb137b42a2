// The query page: asks this TSD alone, draws with uPlot, and keeps what is asked in the address.
import { Refused, ask, forgetTags } from "./ask.mjs";
import { STYLES, Styles, draw, onScheme } from "./chart.mjs";
import * as form from "./form.mjs";
import * as points from "./points.mjs";
import { seriesTable } from "./table.mjs";

const $ = (id) => document.getElementById(id);
const DAY = 86400e3;
const ROWS_MAX = 500;
const POINTS_IF_TOO_LONG = 50;

const styles = new Styles();
const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

let shown = null; // {span, queries: [{letter, metric, body, series}]}, the last answer with points.
let charts = []; // [{key, chart}] of the lines drawn.
let chosen = new Map(); // Series that a box was clicked for, by key; the others go by rank.
let asked = ""; // The queries that `chosen` belongs to.
let running = null;
let refreshing = 0;
let hovered = null;

const table = seriesTable($("series"), {
  onDraw(key, on) {
    chosen.set(key, on);
    show();
  },
  onFocus(key) {
    if (key !== hovered) {
      hovered = key;
      charts.forEach((chart) => chart.focus(key));
    }
  },
});

// ---- Asking

function told(e) {
  return e instanceof Refused || !(e instanceof TypeError) ? e.message : `The page failed: ${e.message}`;
}

/** Answers of all queries, in their order: {letter, body, series} or {letter, body, failed}. */
async function askAll(requests, signal, onBytes) {
  const bytes = requests.map(() => 0);
  const answers = await Promise.allSettled(
    requests.map(({ body }, i) =>
      ask("api/query?arrays", {
        body,
        signal,
        onBytes(so) {
          bytes[i] = so;
          onBytes(bytes.reduce((sum, n) => sum + n, 0));
        },
      }),
    ),
  );
  return answers.map((answer, i) => {
    if (answer.status === "rejected") {
      if (answer.reason.name === "AbortError") {
        throw answer.reason;
      }
      return { ...requests[i], failed: answer.reason };
    }
    return { ...requests[i], series: answer.value.filter((series) => series.dps.length > 0) };
  });
}

/** First and last time of all points; null if there are none. */
function bounds(answers) {
  let start = Infinity;
  let end = -Infinity;
  for (const { series = [] } of answers) {
    for (const { dps } of series) {
      start = Math.min(start, dps[0][0]);
      end = Math.max(end, dps[dps.length - 1][0]);
    }
  }
  return start <= end ? { start, end } : null;
}

const tooLong = (answers) => answers.some(({ failed }) => failed && failed.tooLong);

/** Asks what the form says: {span, interval, answers, note}. */
async function askForm(signal, onBytes) {
  let span = form.span();
  const auto = $("interval").value === "auto";
  let interval = form.step(span);
  let note = "";
  let answers = await askAll(form.requests(span, interval), signal, onBytes);
  const found = span.whole && bounds(answers);
  if (found) {
    // A bucket is named by its start, so that the last one goes on for its length.
    span = { start: found.start, end: found.end + Math.max(1000, points.stepSeconds(interval) * 1000) };
    const finer = form.step(span);
    if (auto && points.stepSeconds(finer) < points.stepSeconds(interval)) {
      interval = finer;
      answers = await askAll(form.requests(span, interval), signal, onBytes);
      const exact = bounds(answers) || found;
      span = { start: exact.start, end: exact.end + Math.max(1000, points.stepSeconds(interval) * 1000) };
    }
  }
  if (auto && tooLong(answers)) {
    interval = points.autoStep(span.start, span.end, POINTS_IF_TOO_LONG);
    if (interval) {
      note = ` So many series that the step is ${interval}.`;
      answers = await askAll(form.requests(span, interval), signal, onBytes);
    }
  }
  return { span, interval, answers, note };
}

/** Asks and shows. A refresh keeps the old result while it waits, and if it fails. */
async function run({ keep = false, refresh = false } = {}) {
  if (running) {
    running.abort();
  }
  clearTimeout(refreshing);
  const mine = new AbortController();
  running = mine;
  $("stop").hidden = false;
  const began = performance.now();
  const took = () => `${Math.round(performance.now() - began).toLocaleString("en")} ms.`;
  if (!refresh) {
    $("error").hidden = true;
    $("status").textContent = "Asking …";
    if (!keep && form.address() !== location.hash) {
      history.pushState(null, "", form.address());
    }
  }
  try {
    const { span, interval, answers, note } = await askForm(mine.signal, (bytes) => {
      if (!refresh && bytes > 1 << 20) {
        $("status").textContent = `Reading the answer: ${(bytes / 1048576).toFixed(0)} MiB …`;
      }
    });
    const failed = answers.filter((answer) => answer.failed);
    showErrors(failed, span, interval, answers.length);
    if (failed.length < answers.length) {
      take(answers.filter((answer) => !answer.failed), span, interval);
      const series = shown ? shown.queries.flatMap((query) => query.series) : [];
      const sum = series.reduce((total, one) => total + one.dps.length, 0);
      const lines = series.length ? ` in ${count(series.length, "series", "series")}` : "";
      const at = refresh ? ` As of ${points.moment(Math.floor(Date.now() / 1000) * 1000, form.zone())}.` : "";
      $("status").textContent = `${count(sum, "point", "points")}${lines}.${note}${at} ${took()}`;
    } else {
      $("status").textContent = "";
    }
  } catch (e) {
    if (running !== mine) {
      return; // Another question has taken its place.
    }
    if (e.name === "AbortError") {
      $("status").textContent = `Stopped after ${took()} The TSD may still work on it, up to its query timeout.`;
    } else {
      $("status").textContent = "";
      showError(told(e));
    }
  } finally {
    if (running === mine) {
      running = null;
      $("stop").hidden = true;
      plan();
    }
  }
}

/** Plans the next refresh, if one is wanted. */
function plan() {
  clearTimeout(refreshing);
  const seconds = Number($("refresh").value);
  if (seconds > 0 && asked) {
    refreshing = setTimeout(() => (document.hidden || running ? plan() : run({ refresh: true })), seconds * 1000);
  }
}

function showError(text, ...buttons) {
  $("error").replaceChildren(text, ...buttons);
  $("error").hidden = false;
  if (!shown) {
    $("hint").hidden = true;
  }
}

function button(text, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = text;
  made.addEventListener("click", onClick);
  return made;
}

function showErrors(failed, span, interval, all) {
  $("error").hidden = true;
  if (failed.length === 0) {
    return;
  }
  const text = failed.map(({ letter, failed: e }) => (all > 1 ? `Query ${letter}: ` : "") + told(e)).join("\n");
  if (failed.some(({ failed: e }) => e.status === 413)) {
    const longer = points.coarserStep(interval, span.start, span.end);
    if (points.stepSeconds(longer) > points.stepSeconds(interval)) {
      showError(
        text,
        button(`Ask with a step of ${longer}`, () => {
          form.setStep(longer);
          run();
        }),
      );
      return;
    }
  }
  showError(text);
}

// ---- The result

const keyOf = (letter, tags) => `${letter} ${JSON.stringify(Object.entries(tags).sort())}`;

/** Takes answers as what is shown now. */
function take(answers, span, interval) {
  const step = points.stepSeconds(interval);
  const several = answers.length > 1;
  const queries = answers.map(({ letter, body, series }) => {
    const { metric } = body.queries[0];
    const names = points.namesOf(series, metric);
    return {
      letter,
      metric,
      body,
      series: series.map(({ tags, dps }, i) => ({
        key: keyOf(letter, tags),
        name: !several ? names[i] : names[i] === metric ? `${letter} ${metric}` : `${letter} ${metric} ${names[i]}`,
        metric,
        tags,
        dps,
        step,
        figures: points.figures(dps),
      })),
    };
  });
  const question = JSON.stringify(queries.map(({ body }) => [body.queries[0].metric, body.queries[0].filters]));
  if (question !== asked) {
    asked = question;
    chosen = new Map();
  }
  const nothing = queries.every((query) => query.series.length === 0);
  $("hint").hidden = !nothing;
  for (const id of ["chart", "moves", "tables"]) {
    $(id).hidden = nothing;
  }
  $("result-title").textContent = [...new Set(queries.map((query) => query.metric))].join(", ");
  $("requests").textContent = queries.map(({ body }) => JSON.stringify(body, null, 2)).join("\n");
  if (nothing) {
    shown = null;
    charts.forEach((chart) => chart.plot.destroy());
    charts = [];
    offer(queries, span);
    return;
  }
  shown = { span, queries };
  show();
}

/** The lines to draw of a query: those of the highest rank, with and without what was clicked. */
function linesOf({ series }) {
  const limit = Number($("lines").value);
  const ranked = new Set(series.length > limit ? points.top(series, $("rank").value, limit) : series);
  return series.filter((one) => chosen.get(one.key) ?? ranked.has(one));
}

function rangeOf(lines) {
  return [Math.min(...lines.map((line) => line.figures.min)), Math.max(...lines.map((line) => line.figures.max))];
}

/** Draws charts and fills the tables anew from what is shown. */
function show() {
  if (!shown) {
    return;
  }
  const { span, queries } = shown;
  const zone = form.zone();
  const drawn = queries.map((query) => ({ ...query, lines: linesOf(query) })).filter((query) => query.lines.length > 0);
  const looks = styles.give(drawn.flatMap((query) => query.lines.map((line) => line.key)));
  const axes = points.axesFor(drawn.map((query) => rangeOf(query.lines)));
  const mode = $("charts").value;
  const apart = mode === "each" || (mode === "auto" && new Set(axes).size > 2);
  const groups = apart ? drawn.map((query) => [query]) : [drawn];
  const width = $("chart").clientWidth;
  const height = apart && drawn.length > 1 ? 220 : Math.max(260, Math.min(460, Math.round(width * 0.36)));

  charts.forEach((chart) => chart.plot.destroy());
  charts = groups.filter((group) => group.length > 0).map((group) => {
    const host = document.createElement("div");
    host.className = "plot";
    host.setAttribute("role", "img");
    const lines = group.flatMap((query) =>
      query.lines.map((line) => ({
        ...line,
        style: looks.get(line.key),
        axis: apart ? 0 : axes[drawn.indexOf(query)],
      })),
    );
    const metrics = [...new Set(group.map((query) => query.metric))].join(", ");
    host.setAttribute(
      "aria-label",
      `${metrics}: ${count(lines.length, "line", "lines")} from ${points.moment(span.start, zone)} to ` +
        `${points.moment(span.end, zone)} ${zone}; the tables below have the figures`,
    );
    const labels = new Map();
    if (drawn.length > 1) {
      group.forEach((query) => {
        const axis = apart ? 0 : axes[drawn.indexOf(query)];
        labels.set(axis, [labels.get(axis), `${query.letter} ${query.metric}`].filter(Boolean).join(", "));
      });
    }
    return { host, lines, labels };
  }).map(({ host, lines, labels }, i, all) => {
    if (i === 0) {
      $("chart").replaceChildren(...all.map((one) => one.host));
    }
    const axisWidth = all.length > 1 ? 80 : 0;
    const heard = { onZoom: zoom, onWiden: () => move("out"), onPoint: point };
    return draw(host, lines, { span, zone, height, axisWidth, labels, ...heard });
  });
  if (groups.flat().length === 0) {
    $("chart").replaceChildren("No line is drawn. Tick one in the table below.");
  }
  const series = queries.flatMap((query) => query.series);
  table.show(series, looks);
  const left = series.length - looks.size;
  $("drawn").textContent =
    (left > 0 ? `${left.toLocaleString("en")} of ${count(series.length, "series", "series")} not drawn: tick them below, or draw more lines. ` : "") +
    (looks.size > STYLES ? `Beyond ${STYLES} lines, looks repeat.` : "");
  showPoints();
}

function point(time, near, value) {
  if (time === null) {
    $("near").textContent = "\u00a0";
    table.point(null);
    table.mark(null);
    return;
  }
  const text = points.moment(time, form.zone());
  $("near").textContent = near ? `${text}  ${near.name}  ${points.number(value)}` : text;
  table.point(new Map(charts.flatMap((chart) => [...chart.at(time)])));
  table.mark(near ? near.key : null);
}

// Filled when it is opened: a table of thousands of rows costs more than the chart.
function showPoints() {
  const points_ = document.querySelector("#points table");
  points_.tHead.replaceChildren();
  points_.tBodies[0].replaceChildren();
  if (!shown || !$("points").open) {
    return;
  }
  const lines = shown.queries.flatMap(linesOf);
  const zone = form.zone();
  const head = points_.tHead.insertRow();
  for (const text of [`Time (${zone})`, ...lines.map((line) => line.name)]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text;
    head.append(cell);
  }
  const { xs, ys } = points.join(lines.map((line) => line.dps));
  const first = Math.max(0, xs.length - ROWS_MAX);
  for (let i = xs.length - 1; i >= first; i--) {
    const row = points_.tBodies[0].insertRow();
    const time = document.createElement("th");
    time.scope = "row";
    time.textContent = points.moment(xs[i], zone);
    row.append(time);
    for (const values of ys) {
      row.insertCell().textContent = points.number(values[i]);
    }
  }
  $("points-note").textContent =
    first > 0
      ? `The latest ${ROWS_MAX} of ${xs.length.toLocaleString("en")} times of the lines drawn; the CSV file has all points.`
      : "";
}

/** Where there are no points: ways to where there are some. */
async function offer(queries, span) {
  const zone = form.zone();
  const text = document.createElement("p");
  text.textContent = span.whole
    ? "No points."
    : `No points between ${points.moment(span.start, zone)} and ${points.moment(span.end, zone)} ${zone}.`;
  $("hint").replaceChildren(text);
  if (span.whole) {
    return;
  }
  $("hint").append(
    button("Show the whole history", () => {
      $("range").value = "whole";
      $("range").dispatchEvent(new Event("change"));
      run();
    }),
  );
  let last = 0;
  try {
    const m = encodeURIComponent(queries[0].metric);
    const found = await ask(`api/query/last?resolve=false&timeseries=${m}`);
    last = Math.max(0, ...found.map((one) => Number(one.timestamp)));
  } catch (e) {
    return; // A TSD without a table of last points cannot tell.
  }
  if (last && !shown && text.isConnected) {
    $("hint").append(
      button(`Show the day up to the last point, ${points.moment(last, zone)}`, () => zoom(last - DAY, last + 1000)),
    );
  }
}

// ---- Moving in time

function zoom(start, end) {
  form.setBetween(start, Math.max(end, start + 2000));
  run();
}

function move(how) {
  if (!shown) {
    return;
  }
  const { start, end } = shown.span;
  const half = Math.round((end - start) / 2000) * 1000;
  const quarter = Math.round(half / 2000) * 1000;
  const to = {
    earlier: [start - half, end - half],
    later: [start + half, end + half],
    in: [start + quarter, end - quarter],
    out: [start - half, end + half],
  }[how];
  zoom(Math.max(1000, to[0]), to[1]);
}

// ---- CSV

function download() {
  const pieces = [...points.csv(shown.queries)];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(pieces, { type: "text/csv;charset=utf-8" }));
  const name = shown.queries.map((query) => query.metric).join("+").slice(0, 80).replace(/[^\w.+-]/g, "_");
  link.download = `${name}-${points.clock(shown.span.start, "UTC").replaceAll(":", "")}Z.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60e3);
}

// ---- Wiring

async function start() {
  form.prepare(show);
  $("add-query").addEventListener("click", () => form.addQuery(run).querySelector("[data-name=metric]").focus());
  $("stop").addEventListener("click", () => {
    running?.abort();
    $("run").focus();
  });
  $("query").addEventListener("submit", (event) => {
    event.preventDefault();
    forgetTags();
    run();
  });
  for (const id of ["zone", "refresh", "lines", "rank", "charts"]) {
    $(id).addEventListener("change", () => {
      if (id !== "zone" && id !== "refresh") {
        show();
      }
      history.replaceState(null, "", form.address());
      plan();
    });
  }
  for (const how of ["earlier", "in", "out", "later"]) {
    $(how).addEventListener("click", () => move(how));
  }
  $("csv").addEventListener("click", download);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // The fragment of the address is the query's.
    $("result").focus();
  });
  $("points").addEventListener("toggle", showPoints);
  onScheme(show);
  let width = 0;
  new ResizeObserver(() => {
    const now = $("chart").clientWidth;
    if (now && now !== width) {
      charts.forEach(({ plot }) => plot.setSize({ width: now, height: plot.height }));
    }
    width = now;
  }).observe($("chart"));
  const again = () => form.recall(run) && run({ keep: true });
  again();
  window.addEventListener("popstate", again);
  try {
    form.offerFunctions(await ask("api/aggregators"));
  } catch (e) {
    // The usual functions are there without it.
  }
}

start();
