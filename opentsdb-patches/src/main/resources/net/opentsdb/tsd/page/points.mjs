// What can be computed about series and times without a page: steps, gaps, statistics, names, CSV.
// Times are milliseconds since 1970 unless a name says otherwise. A series is {tags, dps, ...} as
// api/query?arrays answers it, dps being [time, value] pairs in rising order of time.

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000];
const UNITS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, w: 604800, n: 2592000, y: 31536000 };

/** The shortest step that gives a range no more than this many points; "" where each point fits. */
export function autoStep(start, end, pointsMax) {
  const wanted = (end - start) / 1000 / pointsMax;
  if (wanted < 2) {
    return "";
  }
  return `${STEPS.find((step) => step >= wanted) || STEPS[STEPS.length - 1]}s`;
}

/** Seconds of a downsampling interval such as 5m; 0 for none. */
export function stepSeconds(text) {
  const parts = /^(\d+)(ms|[smhdwny])$/.exec(text || "");
  return parts ? Number(parts[1]) * UNITS[parts[2]] : 0;
}

/** The next step that is about eight times as long, for a question that asked for too much. */
export function coarserStep(text, start, end) {
  const now = stepSeconds(text) || Math.max(1, (end - start) / 1000 / 1000);
  return `${STEPS.find((step) => step >= 8 * now) || STEPS[STEPS.length - 1]}s`;
}

export const valueOf = (point) => (Number.isFinite(point[1]) ? point[1] : null);

/**
 * The longest pause between two points that is still drawn as a line.
 *
 * A pause of more than three usual ones, the median, is a hole. Among buckets a missing one is,
 * if three in four pauses are a bucket long: points a little rarer than buckets leave every
 * second or third bucket empty.
 */
export function pauseMax(dps, step) {
  const pauses = [];
  for (let i = 1; i < dps.length; i++) {
    pauses.push(dps[i][0] - dps[i - 1][0]);
  }
  if (pauses.length === 0) {
    return Infinity;
  }
  pauses.sort((a, b) => a - b);
  const usual = pauses[Math.floor((pauses.length - 1) * (step > 0 ? 0.75 : 0.5))];
  return step > 0 && usual <= step * 1000 ? step * 1500 : usual * 3;
}

/** Holes of a series as [last time before, first time after], and the times that stand alone. */
export function holesOf(dps, step) {
  const longest = pauseMax(dps, step);
  const holes = [];
  const alone = [];
  let before = true; // Whether a hole, or nothing, precedes this point.
  for (let i = 0; i < dps.length; i++) {
    const after = i + 1 === dps.length || dps[i + 1][0] - dps[i][0] > longest;
    if (after && i + 1 < dps.length) {
      holes.push([dps[i][0], dps[i + 1][0]]);
    }
    if (before && after) {
      alone.push(dps[i][0]);
    }
    before = after;
  }
  return { holes, alone };
}

/** Count, min, avg, max and last of the numbers among a series' points; null without any. */
export function figures(dps) {
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  let last = null;
  for (const point of dps) {
    const y = valueOf(point);
    if (y !== null) {
      count++;
      sum += y;
      min = Math.min(min, y);
      max = Math.max(max, y);
      last = y;
    }
  }
  return count ? { count, min, avg: sum / count, max, last } : { count: 0, min: null, avg: null, max: null, last: null };
}

/** Names by the tags that tell the series apart; what all share says nothing about any. */
export function namesOf(all, metric) {
  const seen = new Map();
  for (const series of all) {
    for (const [key, value] of Object.entries(series.tags)) {
      const values = seen.get(key) || seen.set(key, { count: 0, values: new Set() }).get(key);
      values.count++;
      values.values.add(value);
    }
  }
  const telling = [...seen.keys()]
    .filter((key) => all.length === 1 || seen.get(key).values.size > 1 || seen.get(key).count < all.length)
    .sort();
  return all.map((series) => {
    const tags = telling.filter((key) => key in series.tags).map((key) => `${key}=${series.tags[key]}`);
    return tags.join(" ") || metric;
  });
}

/** Compares by a column: numbers by size, names as people count; what has no value comes last. */
export function comparison(column, descending) {
  const names = new Intl.Collator("en", { numeric: true });
  const sign = descending ? -1 : 1;
  return (a, b) => {
    if (column === "name") {
      return sign * names.compare(a.name, b.name);
    }
    const [x, y] = [a.figures[column], b.figures[column]];
    if (x === null || y === null) {
      return (x === null) - (y === null);
    }
    return sign * (x - y) || names.compare(a.name, b.name);
  };
}

/** The first `count` by a statistic: "max", "avg" and "last" take the highest, "min" the lowest. */
export function top(all, statistic, count) {
  return [...all].sort(comparison(statistic, statistic !== "min" && statistic !== "name")).slice(0, count);
}

/** All their times in one rising array, and each series' values at these; undefined where it has none. */
export function join(tables) {
  const times = new Set();
  for (const dps of tables) {
    for (const point of dps) {
      times.add(point[0]);
    }
  }
  const xs = Float64Array.from(times).sort();
  const ys = tables.map((dps) => {
    const values = new Array(xs.length);
    let at = 0;
    for (const point of dps) {
      while (xs[at] < point[0]) {
        at++;
      }
      values[at] = valueOf(point);
    }
    return values;
  });
  return { xs, ys };
}

/**
 * Puts queries' value ranges on as few axes as keep every line readable: a range that would fill
 * less than a tenth of an axis gets another one. Returns the number of the axis for each.
 */
export function axesFor(ranges) {
  const axes = [];
  return ranges.map(([min, max]) => {
    const height = max - min || Math.abs(max) || 1;
    const fits = (axis) => {
      const whole = Math.max(axis.max, max) - Math.min(axis.min, min);
      return height * 10 >= whole && axis.height * 10 >= whole;
    };
    let found = axes.findIndex(fits);
    if (found < 0) {
      found = axes.push({ min, max, height }) - 1;
    } else {
      const axis = axes[found];
      axis.height = Math.min(axis.height, height);
      axis.min = Math.min(axis.min, min);
      axis.max = Math.max(axis.max, max);
    }
    return found;
  });
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : String(text));

/** All points of all queries as CSV (RFC 4180), in pieces; one line a point, a column a tag. */
export function* csv(queries) {
  const keys = [...new Set(queries.flatMap((q) => q.series.flatMap((s) => Object.keys(s.tags))))].sort();
  yield ["time", "epoch_ms", "query", "metric", ...keys, "value"].map(quoted).join(",") + "\r\n";
  for (const { letter, series } of queries) {
    for (const { metric, tags, dps } of series) {
      const name = [letter, metric, ...keys.map((key) => tags[key] ?? "")].map(quoted).join(",");
      yield dps.map(([time, value]) => `${new Date(time).toISOString()},${time},${name},${value}\r\n`).join("");
    }
  }
}

// ---- Times in a zone

const formats = new Map();
function fieldsIn(zone, time) {
  if (!formats.has(zone)) {
    const two = "2-digit";
    const options = { timeZone: zone, hourCycle: "h23", era: "short", year: "numeric", month: two, day: two };
    formats.set(zone, new Intl.DateTimeFormat("en-US", { ...options, hour: two, minute: two, second: two }));
  }
  return Object.fromEntries(formats.get(zone).formatToParts(time).map((part) => [part.type, part.value]));
}

/** A time as YYYY-MM-DDTHH:MM:SS on the clocks of a zone. */
export function clock(time, zone) {
  if (zone === "UTC") {
    return new Date(time).toISOString().slice(0, 19);
  }
  const f = fieldsIn(zone, time);
  return `${f.year.padStart(4, "0")}-${f.month}-${f.day}T${f.hour}:${f.minute}:${f.second}`;
}

/** The time that such a text means; of an hour that clocks show twice, one of both. NaN if it means none. */
export function timeOf(text, zone) {
  const utc = Date.parse(`${text}Z`);
  if (zone === "UTC" || Number.isNaN(utc)) {
    return utc;
  }
  let time = utc;
  for (let i = 0; i < 3; i++) {
    time += utc - Date.parse(`${clock(time, zone)}Z`);
  }
  return time;
}

/** A time for people: date, clock, and milliseconds if there are any. */
export function moment(time, zone) {
  const ms = ((time % 1000) + 1000) % 1000;
  return clock(time, zone).replace("T", " ") + (ms ? `.${String(Math.round(ms)).padStart(3, "0")}` : "");
}

/** A number on an axis: 1.5 G for 1,500,000,000; the ticks of an axis share no unit. */
export function tick(value) {
  const size = Math.abs(value);
  const power = size < 1e5 || size >= 1e15 ? 0 : Math.floor(Math.log10(size) / 3);
  return power ? `${number(value / 1000 ** power)} ${"kMGT"[power - 1]}` : number(value);
}

/** A number for people, with five or more digits that count. */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) {
    return value.toExponential(4);
  }
  return value.toLocaleString("en", { maximumFractionDigits: size >= 1000 ? 1 : 4 });
}
