// Requests to this TSD, the only server that the page asks.

/** The longest answer that a browser takes in without standing still for long. */
export const BYTES_MAX = 64 << 20;

/** Why there is no answer; status is 0 if the server gave none. */
export class Refused extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** The answer to a GET, or to a POST of a body, as JSON. onBytes hears how much has come. */
export async function ask(path, { body, signal, onBytes } = {}) {
  const options = { signal, headers: { Accept: "application/json" } };
  if (body) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  let text;
  try {
    response = await fetch(path, options);
    text = await read(response, onBytes);
  } catch (e) {
    if (e instanceof TypeError) {
      throw new Refused(
        response
          ? `The answer of ${location.host} broke off. The TSD may have stopped, or ended the query: see its log.`
          : `No answer from ${location.host}. Is the TSD running, and can this machine reach it?`,
      );
    }
    throw e;
  }
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch (e) {
    if (response.ok) {
      throw new Refused("The answer is not whole: it ends before its JSON does. Ask again, or see the TSD's log.");
    }
    // Not every failure is told in JSON.
  }
  if (!response.ok) {
    throw new Refused(reason(response.status, answer && answer.error), response.status);
  }
  return answer;
}

async function read(response, onBytes) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.length;
    if (bytes > BYTES_MAX) {
      await reader.cancel();
      const refused = new Refused(
        `The answer is longer than ${BYTES_MAX >> 20} MiB, more than this page can hold. ` +
          "Ask for a longer step, a shorter range or fewer series.",
        413,
      );
      refused.tooLong = true;
      throw refused;
    }
    text += decoder.decode(value, { stream: true });
    if (onBytes) {
      onBytes(bytes);
    }
  }
}

/** What the TSD says, and what it adds in its details, without the names of its classes. */
export function reason(status, error) {
  if (!error || !error.message) {
    return `The TSD answered with status ${status} and no reason.`;
  }
  const message = String(error.message);
  const details = String(error.details || "");
  // Jackson wraps the words of a filter in its own: "..., problem: WORDS\n at [Source: ...".
  const wrapped = /problem: ([\s\S]*?)(?:\n at \[|$)/.exec(details);
  if (wrapped) {
    return wrapped[1].trim();
  }
  const added = details.split("\n")[0].replace(/^(?:[a-z][\w$]*\.)+[A-Z][\w$]*: /, "").trim();
  return added && !message.includes(added) ? `${message}: ${added}` : message;
}

const MATCHES_MAX = 25;
const LOOKUP_MAX = 20000;

/** Up to 25 names that begin with a text; kind is metrics, tagk or tagv. */
export const suggest = (kind, q) => ask(`api/suggest?type=${kind}&max=${MATCHES_MAX}&q=${encodeURIComponent(q)}`);

// Tags of a metric, from the meta table; false where there is no such table or it has more.
const known = new Map();
function tagsOf(metric) {
  if (!known.has(metric)) {
    known.set(
      metric,
      ask(`api/search/lookup?use_meta=true&limit=${LOOKUP_MAX}&m=${encodeURIComponent(metric)}`).then(
        (found) => ({ tags: found.results.map((one) => one.tags), whole: found.results.length < LOOKUP_MAX }),
        () => ({ tags: [], whole: false }), // A TSD without that table says so.
      ),
    );
  }
  return known.get(metric);
}

const starting = (names, q) =>
  [...new Set(names)].filter((name) => name.startsWith(q)).sort(new Intl.Collator("en", { numeric: true }).compare);

// The metric's own names first; if they may not be all, the store's names after them.
async function complete(metric, kind, q, pick) {
  const { tags, whole } = metric ? await tagsOf(metric) : { tags: [], whole: false };
  const own = starting(tags.flatMap(pick), q);
  if (own.length >= MATCHES_MAX || (whole && tags.length > 0)) {
    return own.slice(0, MATCHES_MAX);
  }
  return [...new Set([...own, ...(await suggest(kind, q))])].slice(0, MATCHES_MAX);
}

/** Tag names of a metric that begin with a text. */
export const tagKeys = (metric, q) => complete(metric, "tagk", q, Object.keys);

/** Values of a metric's tag that begin with what follows the last bar of a text. */
export async function tagValues(metric, key, text) {
  const cut = text.lastIndexOf("|") + 1;
  const q = text.slice(cut) === "*" ? "" : text.slice(cut);
  const found = await complete(metric, "tagv", q, (tags) => (key in tags ? [tags[key]] : []));
  return found.map((value) => text.slice(0, cut) + value);
}

/** Forgets the tags: new series may have come. */
export const forgetTags = () => known.clear();
