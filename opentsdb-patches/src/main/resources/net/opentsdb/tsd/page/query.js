"use strict";

// The query page: asks this TSD alone (api/suggest, api/search/lookup, api/query) and draws with uPlot.
(() => {
  const $ = (id) => document.getElementById(id);
  const LINES_MAX = 64;
  const ROWS_MAX = 500;
  const POINTS_WANTED = 1000;
  const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800];
  // Told apart by lightness as well as hue, on both grounds.
  const LIGHT = ["#1f6f8b", "#c2571a", "#4b7f2c", "#8a3f8f", "#a8324a", "#5b6670", "#8a6d00", "#2f4fa8"];
  const DARK = ["#6cc5e0", "#f0a36b", "#9fd37b", "#d59ada", "#f08fa3", "#b4bec6", "#e3c34f", "#94aef5"];
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const form = $("query");
  let plot = null;
  let drawn = null; // {names, xs, ys}
  let running = null;

  async function ask(path, body, signal) {
    const options = { signal, headers: { Accept: "application/json" } };
    if (body) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    const response = await fetch(path, options);
    const text = await response.text();
    let answer = null;
    try {
      answer = JSON.parse(text);
    } catch (e) {
      // Not every failure is told in JSON.
    }
    if (!response.ok) {
      const told = answer && answer.error && answer.error.message;
      throw new Error(told || `The server answered with status ${response.status}.`);
    }
    return answer;
  }

  // ---- Completion: an input with a list below it, as the ARIA pattern "editable combobox" has it.

  let boxes = 0;
  function combobox(input, list, find) {
    const prefix = `box${boxes++}`;
    let options = [];
    let active = -1;
    let timer = 0;
    let asked = 0;

    if (!list.id) {
      list.id = prefix;
    }
    input.setAttribute("aria-controls", list.id);

    function close() {
      clearTimeout(timer);
      asked++;
      active = -1;
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    function mark(index) {
      active = index;
      [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === index)));
      if (index >= 0) {
        input.setAttribute("aria-activedescendant", list.children[index].id);
        list.children[index].scrollIntoView({ block: "nearest" });
      } else {
        input.removeAttribute("aria-activedescendant");
      }
    }

    function take(index) {
      input.value = options[index];
      close();
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }

    async function open() {
      const mine = ++asked;
      let found = [];
      try {
        found = await find(input.value.trim());
      } catch (e) {
        found = [];
      }
      if (mine !== asked || document.activeElement !== input) {
        return;
      }
      options = found;
      list.replaceChildren(
        ...options.map((name, i) => {
          const item = document.createElement("li");
          item.id = `${prefix}-${i}`;
          item.setAttribute("role", "option");
          item.setAttribute("aria-selected", "false");
          item.textContent = name;
          item.addEventListener("mousedown", (event) => {
            event.preventDefault();
            take(i);
          });
          return item;
        }),
      );
      active = -1;
      input.removeAttribute("aria-activedescendant");
      list.hidden = options.length === 0;
      input.setAttribute("aria-expanded", String(options.length > 0));
    }

    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(open, 120);
    });
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (list.hidden) {
          open();
        } else {
          const step = event.key === "ArrowDown" ? 1 : -1;
          mark((active + step + options.length) % options.length);
        }
      } else if (event.key === "Enter" && !list.hidden && active >= 0) {
        event.preventDefault();
        take(active);
      } else if (event.key === "Escape" && !list.hidden) {
        event.preventDefault();
        close();
      }
    });
  }

  const suggest = (type, q) =>
    ask(`api/suggest?type=${type}&max=25&q=${encodeURIComponent(q)}`);

  // Tags of a metric: from the meta table if it is kept, else of the series in the range.
  const known = new Map();
  async function tagsOf(metric) {
    if (!metric) {
      return [];
    }
    if (!known.has(metric)) {
      known.set(metric, findTags(metric));
    }
    return known.get(metric);
  }

  async function findTags(metric) {
    try {
      const m = encodeURIComponent(metric);
      const found = await ask(`api/search/lookup?use_meta=true&limit=1000&m=${m}`);
      if (found.results.length > 0) {
        return found.results.map((series) => series.tags);
      }
    } catch (e) {
      // A TSD without that table says so; the range is asked instead.
    }
    try {
      const body = { ...span(), queries: [{ metric, aggregator: "none", downsample: "0all-count" }] };
      return (await ask("api/query?arrays", body)).map((series) => series.tags);
    } catch (e) {
      return [];
    }
  }

  const starting = (names, q) => [...new Set(names)].filter((name) => name.startsWith(q)).sort().slice(0, 25);

  async function tagKeys(q) {
    const tags = await tagsOf($("metric").value.trim());
    return tags.length ? starting(tags.flatMap(Object.keys), q) : suggest("tagk", q);
  }

  async function tagValues(key, text) {
    const cut = text.lastIndexOf("|") + 1;
    const before = text.slice(0, cut);
    const q = text.slice(cut) === "*" ? "" : text.slice(cut);
    const tags = await tagsOf($("metric").value.trim());
    const values = tags.map((t) => t[key]).filter((value) => value !== undefined);
    const found = values.length ? starting(values, q) : await suggest("tagv", q);
    return found.map((value) => before + value);
  }

  // ---- The form

  let filterCount = 0;
  function addFilter(given) {
    const row = $("filter").content.firstElementChild.cloneNode(true);
    const n = filterCount++;
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `Tag filter ${n + 1}`);
    for (const name of ["tagk", "type", "tagv", "group"]) {
      const control = row.querySelector(`.${name}`);
      control.id = `${name}${n}`;
      control.closest(".field").querySelector("label").htmlFor = control.id;
    }
    const tagk = row.querySelector(".tagk");
    const tagv = row.querySelector(".tagv");
    combobox(tagk, tagk.nextElementSibling, tagKeys);
    combobox(tagv, tagv.nextElementSibling, (q) => tagValues(tagk.value.trim(), q));
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
      $("add").focus();
    });
    if (given) {
      tagk.value = given.tagk;
      tagv.value = given.filter;
      row.querySelector(".type").value = given.type;
      row.querySelector(".group").checked = given.groupBy;
    }
    $("filters").append(row);
    return row;
  }

  function filters() {
    return [...$("filters").children]
      .map((row) => ({
        type: row.querySelector(".type").value,
        tagk: row.querySelector(".tagk").value.trim(),
        filter: row.querySelector(".tagv").value.trim(),
        groupBy: row.querySelector(".group").checked,
      }))
      .filter((filter) => filter.tagk && filter.filter);
  }

  const RANGES = { h: 3600, d: 86400, y: 31536000 };
  const utc = (text) => Date.parse(text + "Z");

  function span() {
    const range = $("range").value;
    if (range !== "between") {
      const seconds = parseInt(range, 10) * RANGES[range.replace(/[0-9]|-ago/g, "")];
      const end = Date.now();
      return { start: end - seconds * 1000, end };
    }
    const start = utc($("from").value);
    const end = utc($("to").value);
    if (!(start < end)) {
      throw new Error("Give a start and an end, the start before the end.");
    }
    return { start, end };
  }

  function interval(start, end) {
    const chosen = $("interval").value;
    if (chosen !== "auto") {
      return chosen;
    }
    const wanted = (end - start) / 1000 / POINTS_WANTED;
    const step = STEPS.find((s) => s >= wanted) || STEPS[STEPS.length - 1];
    return step < 2 ? "" : `${step}s`;
  }

  function request() {
    const { start, end } = span();
    const query = { metric: $("metric").value.trim(), aggregator: $("aggregator").value, filters: filters() };
    const step = interval(start, end);
    if (step) {
      query.downsample = `${step}-${$("reducer").value}`;
    }
    if ($("rate").checked) {
      query.rate = true;
    }
    return { start, end, msResolution: true, queries: [query] };
  }

  function between(show) {
    document.querySelectorAll(".between").forEach((field) => (field.hidden = !show));
    $("from").required = show;
    $("to").required = show;
  }

  function setBetween(start, end) {
    $("range").value = "between";
    $("from").value = new Date(start).toISOString().slice(0, 19);
    $("to").value = new Date(end).toISOString().slice(0, 19);
    between(true);
  }

  const KEPT = ["metric", "range", "from", "to", "aggregator", "interval", "reducer"];

  function addOption(select, value) {
    if (![...select.options].some((option) => option.value === value)) {
      select.add(new Option(value));
    }
  }

  // The address holds the query, so that it can be kept and sent around.
  function remember() {
    const state = new URLSearchParams();
    for (const name of KEPT) {
      if ($(name).value && ($("range").value === "between" || (name !== "from" && name !== "to"))) {
        state.set(name, $(name).value);
      }
    }
    if ($("rate").checked) {
      state.set("rate", "on");
    }
    for (const f of filters()) {
      state.append("tag", JSON.stringify([f.tagk, f.type, f.filter, f.groupBy]));
    }
    history.replaceState(null, "", `#${state}`);
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const name of KEPT) {
      const control = $(name);
      const value = state.get(name);
      if (value === null) {
        continue;
      }
      if ((name === "aggregator" || name === "reducer") && /^[a-z]\w*$/i.test(value)) {
        addOption(control, value); // The whole list of functions comes later.
      }
      if ([...(control.options || [{ value }])].some((option) => option.value === value)) {
        control.value = value;
      }
    }
    $("rate").checked = state.get("rate") === "on";
    $("filters").replaceChildren();
    for (const text of state.getAll("tag")) {
      try {
        const [tagk, type, filter, groupBy] = JSON.parse(text);
        addFilter({ tagk: String(tagk), type: String(type), filter: String(filter), groupBy: groupBy === true });
      } catch (e) {
        // A mangled address is no reason to show nothing.
      }
    }
    between($("range").value === "between");
    return Boolean(state.get("metric"));
  }

  // ---- The result

  const number = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) {
      return "–";
    }
    const size = Math.abs(value);
    return size !== 0 && (size >= 1e15 || size < 1e-4)
      ? value.toExponential(4)
      : value.toLocaleString("en", { maximumFractionDigits: size >= 1000 ? 1 : 4 });
  };
  const moment = (ms) => new Date(ms).toISOString().replace("T", " ").replace(".000Z", "").replace("Z", "");

  function nameOf(series, all) {
    const tags = Object.entries(series.tags).sort();
    if (tags.length === 0) {
      return series.metric;
    }
    // What all series share says nothing about any.
    const telling = tags.filter(([k, v]) => all.length === 1 || all.some((other) => other.tags[k] !== v));
    return telling.map(([k, v]) => `${k}=${v}`).join(" ") || series.metric;
  }

  function figures(ys) {
    let count = 0;
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    let last = null;
    for (const y of ys) {
      if (y !== null && y !== undefined) {
        count++;
        sum += y;
        min = Math.min(min, y);
        max = Math.max(max, y);
        last = y;
      }
    }
    return count ? { count, min, max, last, avg: sum / count } : { count: 0, min: null, max: null, last: null, avg: null };
  }

  const colors = () => (dark.matches ? DARK : LIGHT);

  function draw() {
    if (!drawn) {
      return;
    }
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--soft").trim();
    const grid = style.getPropertyValue("--grid").trim();
    const font = "12px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    const palette = colors();
    // A day's first tick has the date below it.
    const times = (u, ticks, index, space, step) =>
      ticks.map((tick, i) => {
        const iso = new Date(tick * 1000).toISOString();
        const day = iso.slice(0, 10);
        if (step >= 86400) {
          return day;
        }
        const clock = step < 60 ? iso.slice(11, 19) : iso.slice(11, 16);
        const sameDay = i > 0 && new Date(ticks[i - 1] * 1000).toISOString().slice(0, 10) === day;
        return sameDay ? clock : `${clock}\n${day}`;
      });
    const axis = { stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const shown = plot ? plot.series.slice(1).map((s) => s.show) : [];
    const width = $("chart").clientWidth;
    if (plot) {
      plot.destroy();
    }
    plot = new uPlot(
      {
        width,
        height: Math.max(260, Math.min(460, Math.round(width * 0.36))),
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
        scales: { x: { time: true } },
        axes: [
          { ...axis, values: times, space: 80 },
          {
            ...axis,
            values: (u, ticks) => ticks.map(number),
            size: (u, labels) => 24 + 7 * Math.max(3, ...(labels || []).map((label) => label.length)),
          },
        ],
        padding: [12, 36, 0, 0], // Half of a date may stand at the right end.
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        hooks: { setCursor: [showPointer] },
        series: [
          {},
          ...drawn.names.map((label, i) => ({
            label,
            stroke: palette[i % palette.length],
            width: 1.6,
            dash: [[], [7, 4], [2, 3]][Math.floor(i / palette.length) % 3],
            show: shown[i] !== false,
            spanGaps: false,
          })),
        ],
      },
      [drawn.xs, ...drawn.ys],
      $("chart"),
    );
    document.querySelectorAll("#series .swatch").forEach((mark, i) => {
      mark.style.backgroundColor = palette[i % palette.length];
    });
  }

  function showPointer(chart) {
    const at = chart.cursor.idx;
    const on = at !== null && at !== undefined;
    $("pointer").textContent = on ? `At ${moment(chart.data[0][at] * 1000)}` : "At the pointer";
    document.querySelectorAll("#series tbody tr").forEach((row, i) => {
      row.lastElementChild.textContent = on && chart.data[i + 1] ? number(chart.data[i + 1][at]) : "";
    });
  }

  function cells(row, values) {
    for (const value of values) {
      row.insertCell().textContent = value;
    }
  }

  function showSeries(names, ys) {
    const body = document.querySelector("#series tbody");
    body.replaceChildren();
    names.forEach((name, i) => {
      const row = body.insertRow();
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.setAttribute("aria-label", `Draw ${name}`);
      box.addEventListener("change", () => plot.setSeries(i + 1, { show: box.checked }));
      row.insertCell().append(box);
      const head = document.createElement("th");
      head.scope = "row";
      const mark = document.createElement("span");
      mark.className = "swatch";
      head.append(mark, name);
      row.append(head);
      const f = figures(ys[i]);
      cells(row, [f.count.toLocaleString("en"), number(f.min), number(f.avg), number(f.max), number(f.last), ""]);
    });
  }

  // Filled when it is opened: a table of thousands of rows costs more than the chart.
  function showPoints() {
    const table = document.querySelector("#points table");
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    if (!drawn || !$("points").open) {
      return;
    }
    const head = table.tHead.insertRow();
    for (const text of ["Time (UTC)", ...drawn.names]) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = text;
      head.append(cell);
    }
    const first = Math.max(0, drawn.xs.length - ROWS_MAX);
    for (let i = drawn.xs.length - 1; i >= first; i--) {
      const row = table.tBodies[0].insertRow();
      const time = document.createElement("th");
      time.scope = "row";
      time.textContent = moment(drawn.xs[i] * 1000);
      row.append(time);
      cells(row, drawn.ys.map((ys) => number(ys[i])));
    }
    $("points-note").textContent =
      first > 0 ? `The latest ${ROWS_MAX} of ${drawn.xs.length.toLocaleString("en")} times.` : "";
  }

  function join(answer) {
    const tables = answer.map((series) => [
      Float64Array.from(series.dps, (point) => point[0] / 1000),
      series.dps.map((point) => (Number.isFinite(point[1]) ? point[1] : null)),
    ]);
    const [xs, ...ys] = tables.length === 1 ? tables[0] : uPlot.join(tables);
    return { xs, ys };
  }

  function show(answer, body) {
    const full = answer.filter((series) => series.dps.length > 0);
    const some = full.slice(0, LINES_MAX);
    const nothing = some.length === 0;
    $("hint").hidden = !nothing;
    for (const id of ["chart", "keys", "tables"]) {
      $(id).hidden = nothing;
    }
    $("result-title").textContent = body.queries[0].metric;
    if (nothing) {
      drawn = null;
      $("hint").replaceChildren();
      const text = document.createElement("p");
      text.textContent = `No points between ${moment(body.start)} and ${moment(body.end)} UTC.`;
      $("hint").append(text);
      offerLast(body);
      return "No points.";
    }
    if (plot) {
      plot.destroy();
      plot = null;
    }
    const { xs, ys } = join(some);
    drawn = { names: some.map((series) => nameOf(series, some)), xs, ys };
    showSeries(drawn.names, ys);
    draw();
    showPoints();
    document.querySelector("#request pre").textContent = JSON.stringify(body, null, 2);
    const count = ys.reduce((sum, y) => sum + figures(y).count, 0);
    const cut = full.length > some.length ? ` The first ${some.length} of ${full.length} are shown.` : "";
    const lines = some.length === 1 ? "1 line" : `${some.length} lines`;
    $("chart").setAttribute(
      "aria-label",
      `${body.queries[0].metric}: ${lines} from ${moment(xs[0] * 1000)} to ${moment(xs[xs.length - 1] * 1000)} UTC;` +
        " the tables below have the figures",
    );
    return `${count.toLocaleString("en")} points in ${lines}.${cut}`;
  }

  // Where the last point is, if the TSD can tell cheaply; the way to old data.
  async function offerLast(body) {
    let last = 0;
    try {
      const m = encodeURIComponent(body.queries[0].metric);
      const found = await ask(`api/query/last?resolve=false&timeseries=${m}`);
      last = Math.max(0, ...found.map((point) => Number(point.timestamp)));
    } catch (e) {
      return;
    }
    if (!last || drawn) {
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = `Show the day up to the last point, ${moment(last)}`;
    button.addEventListener("click", () => {
      setBetween(last - 86400e3, last + 1000);
      run();
    });
    $("hint").append(button);
  }

  async function run() {
    if (running) {
      running.abort();
    }
    const mine = new AbortController();
    running = mine;
    $("error").hidden = true;
    $("status").textContent = "Asking …";
    const began = performance.now();
    try {
      const body = request();
      remember();
      const answer = await ask("api/query?arrays", body, mine.signal);
      const took = Math.round(performance.now() - began);
      $("status").textContent = `${show(answer, body)} ${took.toLocaleString("en")} ms.`;
    } catch (e) {
      if (e.name !== "AbortError") {
        $("status").textContent = "";
        $("error").textContent = e.message;
        $("error").hidden = false;
      }
    } finally {
      if (running === mine) {
        running = null;
      }
    }
  }

  async function start() {
    combobox($("metric"), $("metric-names"), (q) => suggest("metrics", q));
    $("metric").addEventListener("change", () => {
      if ($("metric").value.trim()) {
        run();
      }
    });
    $("add").addEventListener("click", () => addFilter(null).querySelector(".tagk").focus());
    $("range").addEventListener("change", () => {
      if ($("range").value === "between" && !$("from").value) {
        setBetween(Date.now() - 86400e3, Date.now());
      }
      between($("range").value === "between");
      known.clear();
    });
    $("points").addEventListener("toggle", showPoints);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run();
    });
    dark.addEventListener("change", draw);
    let width = 0;
    new ResizeObserver(() => {
      const now = $("chart").clientWidth;
      if (plot && now && now !== width) {
        plot.setSize({ width: now, height: plot.height });
      }
      width = now;
    }).observe($("chart"));
    if (recall()) {
      run();
    }
    window.addEventListener("hashchange", () => {
      if (recall()) {
        run();
      }
    });
    try {
      const all = await ask("api/aggregators");
      for (const name of [...all].sort()) {
        addOption($("aggregator"), name);
        if (name !== "none") {
          addOption($("reducer"), name);
        }
      }
    } catch (e) {
      // The usual functions are there without it.
    }
  }

  start();
})();
