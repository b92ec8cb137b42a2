// Lines by uPlot. A line is {key, name, dps, step, axis, style}; style comes from Styles.
import { clock, holesOf, join, tick } from "./points.mjs";

// Told apart by lightness as well as hue, on both grounds.
const LIGHT = ["#1f6f8b", "#c2571a", "#4b7f2c", "#8a3f8f", "#a8324a", "#5b6670", "#8a6d00", "#2f4fa8"];
const DARK = ["#6cc5e0", "#f0a36b", "#9fd37b", "#d59ada", "#f08fa3", "#b4bec6", "#e3c34f", "#94aef5"];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [16, 5], [5, 2, 1, 2, 1, 2], [4, 8]];

/** Lines that look different from each other; more than these share their looks. */
export const STYLES = LIGHT.length * DASHES.length;

const isDark = matchMedia("(prefers-color-scheme: dark)");
export const onScheme = (listener) => isDark.addEventListener("change", listener);
export const colour = (style) => (isDark.matches ? DARK : LIGHT)[style % LIGHT.length];
export const dash = (style) => DASHES[Math.floor(style / LIGHT.length) % DASHES.length];

/** Gives each line a look that it keeps as long as it is drawn, through refreshes. */
export class Styles {
  #taken = new Map();

  give(keys) {
    const wanted = new Set(keys);
    for (const key of this.#taken.keys()) {
      if (!wanted.has(key)) {
        this.#taken.delete(key);
      }
    }
    const used = new Set(this.#taken.values());
    let next = 0;
    for (const key of keys) {
      if (!this.#taken.has(key)) {
        while (used.has(next)) {
          next++;
        }
        used.add(next);
        this.#taken.set(key, next);
      }
    }
    return this.#taken;
  }
}

/**
 * One chart in a host element. Span is {start, end} in ms, the whole x axis; labels
 * are the axes' names, by number; axisWidth in pixels lines up charts below each other. onZoom hears the
 * times of a drag, onWiden a double click, onPoint the time and the nearest line at the pointer.
 */
export function draw(host, lines, { span, zone, height, axisWidth, labels, onZoom, onWiden, onPoint }) {
  const css = getComputedStyle(document.documentElement);
  const ink = css.getPropertyValue("--soft").trim();
  const grid = css.getPropertyValue("--grid").trim();
  const look = {
    stroke: ink,
    font: "12px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
  };
  const { xs, ys } = join(lines.map((line) => line.dps));
  const places = new Map();
  xs.forEach((x, i) => places.set(x, i));
  const axes = [...new Set(lines.map((line) => line.axis))].sort();

  // A day's first tick has the date below it.
  const times = (u, ticks, index, space, step) => {
    let before = "";
    return ticks.map((tick) => {
      const [day, time] = clock(tick * 1000, zone).split("T");
      const sameDay = day === before;
      before = day;
      if (step >= 86400) {
        return day;
      }
      const text = step < 60 ? time : time.slice(0, 5);
      return sameDay ? text : `${text}\n${day}`;
    });
  };

  // Marks of many lines hide each other.
  const marks = lines.length > 8 ? { show: false } : {};
  const series = lines.map((line) => {
    const { holes, alone } = holesOf(line.dps, line.step);
    const dots = alone.map((x) => places.get(x));
    return {
      label: line.name,
      scale: `y${line.axis}`,
      stroke: colour(line.style),
      width: 1.6,
      dash: dash(line.style),
      spanGaps: false,
      gaps: (u, i, from, to, gaps) => {
        for (const [last, next] of holes) {
          if (next / 1000 >= u.data[0][from] && last / 1000 <= u.data[0][to]) {
            gaps.push([u.valToPos(last / 1000, "x", true), u.valToPos(next / 1000, "x", true)]);
          }
        }
        return gaps.sort((a, b) => a[0] - b[0]);
      },
      // A point between two holes has no line to be seen by.
      points: { ...marks, size: 4, filter: (u, i, show) => (show ? null : dots) },
    };
  });

  let focused = -1;
  const plot = new uPlot(
    {
      width: host.clientWidth,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), zone === "UTC" ? "Etc/UTC" : zone),
      scales: {
        x: { time: true, range: () => [span.start / 1000, span.end / 1000] },
        ...Object.fromEntries(axes.map((axis) => [`y${axis}`, { auto: true }])),
      },
      axes: [
        { ...look, values: times, space: 80 },
        ...axes.map((axis, i) => ({
          ...look,
          scale: `y${axis}`,
          label: labels.get(axis),
          labelFont: look.font,
          labelSize: labels.has(axis) ? 18 : 0,
          side: i === 0 ? 3 : 1,
          grid: { ...look.grid, show: i === 0 },
          values: (u, ticks) => ticks.map(tick),
          size: (u, labels) => axisWidth || 24 + 7 * Math.max(3, ...(labels || []).map((label) => label.length)),
        })),
      ],
      padding: [12, axes.length > 1 ? 8 : 36, 0, 0], // Half of a date may stand at the right end.
      legend: { show: false },
      focus: { alpha: 0.2 },
      cursor: {
        y: false,
        points: { size: 7 },
        focus: { prox: 24 },
        sync: {
          key: "time",
          scales: ["x", null],
          filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
        },
        drag: { x: true, y: false, setScale: false },
        bind: {
          dblclick: () => () => {
            onWiden();
            return null;
          },
        },
      },
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width > 4) {
              const from = u.posToVal(u.select.left, "x");
              const to = u.posToVal(u.select.left + u.select.width, "x");
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              onZoom(Math.floor(from) * 1000, Math.ceil(to) * 1000);
            }
          },
        ],
        setSeries: [
          (u, i, options) => {
            if (options.focus !== undefined) {
              focused = i === null ? -1 : i - 1;
            }
          },
        ],
        setCursor: [
          (u) => {
            const at = u.cursor.idx;
            if (u.cursor.event === null && at !== null) {
              return; // The pointer is over another chart.
            }
            const on = at !== null && at !== undefined;
            const near = on && focused >= 0 ? lines[focused] : null;
            onPoint(on ? xs[at] : null, near, near ? u.data[focused + 1][u.cursor.idxs[focused + 1]] : null);
          },
        ],
      },
      series: [{}, ...series],
    },
    [xs.map((x) => x / 1000), ...ys],
    host,
  );

  return {
    plot,
    /** Puts one line in front; null puts none. */
    focus(key) {
      const found = lines.findIndex((line) => line.key === key);
      plot.setSeries(found < 0 ? null : found + 1, { focus: found >= 0 });
    },
    /** Each line's value at a time, by its key. */
    at(time) {
      const i = places.get(time);
      return new Map(lines.map((line, k) => [line.key, i === undefined ? undefined : ys[k][i]]));
    },
  };
}
