// What the query page computes without a browser. Run by PageScriptsTest, or: node --test FILE
import assert from "node:assert/strict";
import test from "node:test";

const page = new URL("../../main/resources/net/opentsdb/tsd/page/", import.meta.url);
const { reason } = await import(new URL("ask.mjs", page));
const points = await import(new URL("points.mjs", page));

const MINUTE = 60_000;
const minutes = (...at) => at.map((minute) => [minute * MINUTE, 1]);
const series = (tags, ...values) => {
  const dps = values.map((value, i) => [i * MINUTE, value]);
  return { metric: "m", tags, dps, name: Object.values(tags).join(), figures: points.figures(dps) };
};

test("a pause of more than three usual ones is a hole", () => {
  const { holes, alone } = points.holesOf(minutes(0, 1, 2, 3, 6, 7, 11, 20, 21, 22), 0);
  assert.deepEqual(holes.map((hole) => hole.map((time) => time / MINUTE)), [[7, 11], [11, 20]]);
  assert.deepEqual(alone, [11 * MINUTE]);
});

test("among buckets a single missing one is a hole, but not where points are rarer than buckets", () => {
  assert.deepEqual(points.holesOf(minutes(0, 1, 2, 4, 5), 60).holes, [[2 * MINUTE, 4 * MINUTE]]);
  assert.deepEqual(points.holesOf(minutes(0, 60, 120, 180), 60).holes, []);
  assert.deepEqual(points.holesOf(minutes(0, 1, 3, 4, 6, 7, 9), 60).holes, []);
});

test("holes of few points", () => {
  assert.deepEqual(points.holesOf([], 0), { holes: [], alone: [] });
  assert.deepEqual(points.holesOf(minutes(5), 60), { holes: [], alone: [5 * MINUTE] });
  assert.deepEqual(points.holesOf(minutes(0, 1, 9), 0).holes, [[MINUTE, 9 * MINUTE]]);
});

test("steps", () => {
  assert.equal(points.autoStep(0, 86_400_000, 1000), "120s");
  assert.equal(points.autoStep(0, 1_000_000, 1000), "");
  assert.equal(points.stepSeconds("5m"), 300);
  assert.equal(points.stepSeconds("auto"), 0);
  assert.equal(points.coarserStep("120s", 0, 86_400_000), "1800s");
  assert.equal(points.coarserStep("", 0, 86_400_000), "900s");
});

test("statistics pass over what is no number", () => {
  assert.deepEqual(points.figures([[0, 3], [1, "NaN"], [2, 1]]), { count: 2, min: 1, avg: 2, max: 3, last: 1 });
  assert.equal(points.figures([[0, "NaN"]]).last, null);
});

test("the first by a statistic", () => {
  const all = [series({ h: "a" }, 1, 9), series({ h: "b" }, 5, 5), series({ h: "c" }, "NaN"), series({ h: "d" }, 0, 6)];
  const first = (statistic) => points.top(all, statistic, 2).map((one) => one.name).join("");
  assert.deepEqual(["max", "last", "avg", "min", "name"].map(first), ["ad", "ad", "ab", "da", "ab"]);
});

test("names leave out what all series share, and sort as people count", () => {
  const all = [{ tags: { dc: "x", h: "w10" } }, { tags: { dc: "x", h: "w9" } }, { tags: { dc: "x" } }];
  assert.deepEqual(points.namesOf(all, "m"), ["h=w10", "h=w9", "m"]);
  assert.deepEqual(points.namesOf(all.slice(0, 1), "m"), ["dc=x h=w10"]);
  const named = ["w10", "w9"].map((h) => series({ h }, 1));
  assert.equal(named.sort(points.comparison("name", false))[0].name, "w9");
});

test("series are joined by time, without filling in", () => {
  const { xs, ys } = points.join([[[2, 1], [4, "NaN"]], [[1, 7], [2, 8]]]);
  assert.deepEqual([...xs], [1, 2, 4]);
  assert.deepEqual(ys.map((row) => Array.from(row)), [[undefined, 1, null], [7, 8, undefined]]);
});

test("ranges that differ much get an axis each", () => {
  assert.deepEqual(points.axesFor([[0, 100], [20, 90], [5e8, 2e9], [0.5, 0.9]]), [0, 0, 1, 2]);
  assert.deepEqual(points.axesFor([[0, 0.9], [0, 100]]), [0, 1]);
});

test("CSV has every point, times as text and number, and quotes what needs it", () => {
  const queries = [
    { letter: "A", series: [{ metric: 'a"b', tags: { host: "x,y" }, dps: [[1500, 0.1], [2000, "NaN"]] }] },
    { letter: "B", series: [{ metric: "c", tags: { dc: "z" }, dps: [[0, -3]] }] },
  ];
  assert.equal(
    [...points.csv(queries)].join(""),
    "time,epoch_ms,query,metric,dc,host,value\r\n" +
      '1970-01-01T00:00:01.500Z,1500,A,"a""b",,"x,y",0.1\r\n' +
      '1970-01-01T00:00:02.000Z,2000,A,"a""b",,"x,y",NaN\r\n' +
      "1970-01-01T00:00:00.000Z,0,B,c,z,,-3\r\n",
  );
});

test("times on the clocks of a zone, and back", () => {
  const summer = Date.UTC(2024, 6, 1, 12);
  assert.equal(points.clock(summer, "Europe/Berlin"), "2024-07-01T14:00:00");
  for (const zone of ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"]) {
    for (let time = Date.UTC(2011, 0, 1); time < Date.UTC(2012, 11, 31); time += 37 * 3_600_000) {
      const text = points.clock(time, zone);
      assert.equal(points.clock(points.timeOf(text, zone), zone), text, zone);
    }
  }
  assert.ok(Number.isNaN(points.timeOf("", "Europe/Berlin")));
  assert.equal(points.moment(1500, "UTC"), "1970-01-01 00:00:01.500");
});

test("numbers for people", () => {
  assert.deepEqual([0, 1234.567, 0.00001, null].map(points.number), ["0", "1,234.6", "1.0000e-5", "–"]);
  assert.deepEqual([0.5, 90, 1.5e9, -2e5].map(points.tick), ["0.5", "90", "1.5 G", "-200 k"]);
});

test("a reason has the details that help", () => {
  const jackson =
    'com.example.Bad: Cannot construct, problem: Regular expression "a(" refused: missing closing )\n at [Source: X]';
  assert.equal(
    reason(400, { message: "Unable to parse the given JSON", details: jackson }),
    'Regular expression "a(" refused: missing closing )',
  );
  assert.equal(reason(400, { message: "No such name", details: "net.opentsdb.NoSuchUniqueName: 'x'" }), "No such name: 'x'");
  assert.equal(reason(413, { message: "too much", details: "too much" }), "too much");
  assert.equal(reason(502, null), "The TSD answered with status 502 and no reason.");
});
