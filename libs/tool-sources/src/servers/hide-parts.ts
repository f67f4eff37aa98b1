/** A shorter part of a secret says too little to be used, and may be a word that stands in an answer by itself. */
const SHORTEST_PART = 16;
const BLOCK = SHORTEST_PART / 2;
/** Each part has a whole block at a multiple of it: where there is none, nothing else need be looked at. */
const STEP = SHORTEST_PART - BLOCK + 1;
/** Of all secrets together: what is looked for takes some hundred bytes for each of them. */
const MOST_CHARS = 65_536;
/** Nothing else may stand in a header; and what is cut out of it leaves no half of a character. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Takes every run of at least 16 characters out of a text that is part of a secret, as of one that was cut at a length
 * limit. In time that is linear in the text, whatever it holds and however many secrets there are.
 *
 * @param secrets as they may be written, the most likely first: 65,536 characters of those in ASCII count
 */
export function hideParts(secrets: readonly string[], hidden: string): (text: string) => string {
  const blocks = new Set<string>();
  const parts = new Set<string>();
  let room = MOST_CHARS;
  for (const secret of secrets.filter((each) => ASCII.test(each))) {
    const known = secret.slice(0, room);
    room -= known.length;
    for (const block of runsOf(known, BLOCK)) blocks.add(block);
    for (const part of runsOf(known, SHORTEST_PART)) parts.add(part);
  }
  return (text) => replaceRuns(text, placesOf(text, blocks, parts), hidden);
}

function* runsOf(text: string, length: number): Generator<string> {
  for (let from = 0; from + length <= text.length; from += 1) yield text.slice(from, from + length);
}

/** Where the parts begin, in their order; each place of the text is looked at once at most. */
function* placesOf(text: string, blocks: ReadonlySet<string>, parts: ReadonlySet<string>): Generator<number> {
  for (let block = 0; block + BLOCK <= text.length; block += STEP) {
    if (!blocks.has(text.slice(block, block + BLOCK))) continue;
    for (let place = Math.max(0, block - STEP + 1); place <= block; place += 1)
      if (parts.has(text.slice(place, place + SHORTEST_PART))) yield place;
  }
}

/** What overlaps, or lies side by side, is one run. */
function replaceRuns(text: string, places: Iterable<number>, hidden: string): string {
  let shown = '';
  let end = -1;
  for (const place of places) {
    if (place > end) shown += text.slice(Math.max(0, end), place) + hidden;
    end = place + SHORTEST_PART;
  }
  return end === -1 ? text : shown + text.slice(end);
}
