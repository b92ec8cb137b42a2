// The table of series: sorted, searched, and of any length, because only the rows in view exist.
import { colour, dash } from "./chart.mjs";
import { comparison, number } from "./points.mjs";

const ROW = 33; // Pixels, as query.css has it.
const SPARE = 8;
const SVG = "http://www.w3.org/2000/svg";
const COLUMNS = ["count", "min", "avg", "max", "last"];

function swatch(style) {
  const mark = document.createElementNS(SVG, "svg");
  mark.setAttribute("class", "swatch");
  mark.setAttribute("width", "34");
  mark.setAttribute("height", "8");
  mark.setAttribute("aria-hidden", "true");
  if (style !== undefined) {
    const line = document.createElementNS(SVG, "line");
    const parts = { x1: 0, y1: 4, x2: 34, y2: 4, stroke: colour(style), "stroke-width": 2.4 };
    Object.entries(parts).forEach(([name, value]) => line.setAttribute(name, value));
    line.setAttribute("stroke-dasharray", dash(style).join(" "));
    mark.append(line);
  }
  return mark;
}

/**
 * Shows series as {key, name, figures}. `styles` has the looks of those that are drawn;
 * onDraw hears key and choice of a box, onFocus the key of the row under pointer or focus, or null.
 */
export function seriesTable(table, { onDraw, onFocus }) {
  const scroller = table.closest(".scroll");
  const body = table.tBodies[0];
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  let all = [];
  let shown = [];
  let styles = new Map();
  let values = null;
  let column = "max";
  let descending = true;

  function cell(row, text) {
    row.insertCell().textContent = text;
  }

  function rowOf(series, index) {
    const row = document.createElement("tr");
    row.setAttribute("aria-rowindex", String(index + 2));
    row.dataset.key = series.key;
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = styles.has(series.key);
    box.setAttribute("aria-label", `Draw ${series.name}`);
    row.insertCell().append(box);
    const head = document.createElement("th");
    head.scope = "row";
    head.title = series.name;
    head.append(swatch(styles.get(series.key)), series.name);
    row.append(head);
    cell(row, series.figures.count.toLocaleString("en"));
    COLUMNS.slice(1).forEach((name) => cell(row, number(series.figures[name])));
    cell(row, values && values.has(series.key) ? number(values.get(series.key)) : "");
    return row;
  }

  function spacer(rows) {
    const row = document.createElement("tr");
    row.className = "spacer";
    row.setAttribute("aria-hidden", "true");
    row.insertCell().colSpan = 3 + COLUMNS.length;
    row.firstChild.style.height = `${rows * ROW}px`;
    return row;
  }

  let drawnFrom = -1;
  function render() {
    const inView = Math.ceil(scroller.clientHeight / ROW);
    const from = Math.max(0, Math.min(Math.floor(scroller.scrollTop / ROW) - SPARE, shown.length - inView));
    const to = Math.min(shown.length, from + inView + 2 * SPARE);
    drawnFrom = from;
    const held = document.activeElement.closest("#series tbody tr");
    const rows = shown.slice(from, to).map((series, i) => rowOf(series, from + i));
    body.replaceChildren(
      ...(from > 0 ? [spacer(from)] : []),
      ...rows,
      ...(to < shown.length ? [spacer(shown.length - to)] : []),
    );
    const again = held && rows.find((row) => row.dataset.key === held.dataset.key);
    if (again) {
      again.querySelector("input").focus({ preventScroll: true });
    }
  }

  function arrange() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = all
      .filter((series) => words.every((word) => series.name.toLowerCase().includes(word)))
      .sort(comparison(column, descending));
    table.setAttribute("aria-rowcount", String(shown.length + 1));
    table.querySelectorAll("th[data-column]").forEach((head) => {
      const on = head.dataset.column === column;
      head.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
    });
    const count = (n) => n.toLocaleString("en");
    found.textContent =
      (words.length ? `${count(shown.length)} of ${count(all.length)} series match, ` : `${count(all.length)} series, `) +
      `${count(styles.size)} drawn`;
    render();
  }

  search.addEventListener("input", () => {
    scroller.scrollTop = 0;
    arrange();
  });
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th[data-column]");
    if (head) {
      descending = head.dataset.column === column ? !descending : head.dataset.column !== "name";
      column = head.dataset.column;
      arrange();
    }
  });
  scroller.addEventListener("scroll", () => {
    const first = Math.floor(scroller.scrollTop / ROW);
    if (Math.abs(first - SPARE - drawnFrom) >= SPARE / 2) {
      render();
    }
  });
  body.addEventListener("change", (event) => {
    onDraw(event.target.closest("tr").dataset.key, event.target.checked);
  });
  const keyAt = (event) => event.target.closest("tr")?.dataset.key ?? null;
  body.addEventListener("mouseover", (event) => onFocus(keyAt(event)));
  body.addEventListener("mouseleave", () => onFocus(null));
  body.addEventListener("focusin", (event) => onFocus(keyAt(event)));
  body.addEventListener("focusout", () => onFocus(null));

  return {
    show(series, looks) {
      all = series;
      styles = looks;
      values = null;
      arrange();
    },
    /** Puts the values at the pointer into the last column; null empties it. */
    point(at) {
      values = at;
      for (const row of body.querySelectorAll("tr[data-key]")) {
        const key = row.dataset.key;
        row.lastElementChild.textContent = at && at.has(key) ? number(at.get(key)) : "";
      }
    },
    /** Marks the row of a line, or none. */
    mark(key) {
      body.querySelectorAll("tr[data-key]").forEach((row) => row.classList.toggle("near", row.dataset.key === key));
    },
  };
}
