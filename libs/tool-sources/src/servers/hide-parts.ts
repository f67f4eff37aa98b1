/** Minimum length of a redacted part: shorter ones are of no use to an attacker and may occur by chance. */
const MIN_PART = 16;
const BLOCK = MIN_PART / 2;
/**
 * Every part of the minimum length contains a whole block at a multiple of this step, so only these positions are
 * checked.
 */
const STEP = MIN_PART - BLOCK + 1;
/** Maximum characters of all secrets together; each one takes some hundred bytes of memory. */
const MAX_CHARS = 65_536;
/** Other characters cannot occur in a header, and ASCII parts never split a surrogate pair. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Redacts every run of at least 16 characters that is part of a secret, e.g. of one that was truncated. Linear in the
 * length of the text, regardless of the number of secrets.
 *
 * @param secrets in all spellings, most likely ones first; only the first 65 536 characters of ASCII secrets count
 */
export function hideParts(secrets: readonly string[], hidden: string): (text: string) => string {
  const blocks = new Set<string>();
  const parts = new Set<string>();
  let room = MAX_CHARS;
  for (const secret of secrets.filter((each) => ASCII.test(each))) {
    const known = secret.slice(0, room);
    room -= known.length;
    for (const block of runsOf(known, BLOCK)) blocks.add(block);
    for (const part of runsOf(known, MIN_PART)) parts.add(part);
  }
  return (text) => replaceRuns(text, placesOf(text, blocks, parts), hidden);
}

function* runsOf(text: string, length: number): Generator<string> {
  for (let from = 0; from + length <= text.length; from += 1) yield text.slice(from, from + length);
}

/** Start positions of secret parts, ascending; each position is checked at most once. */
function* placesOf(text: string, blocks: ReadonlySet<string>, parts: ReadonlySet<string>): Generator<number> {
  for (let block = 0; block + BLOCK <= text.length; block += STEP) {
    if (!blocks.has(text.slice(block, block + BLOCK))) continue;
    for (let place = Math.max(0, block - STEP + 1); place <= block; place += 1)
      if (parts.has(text.slice(place, place + MIN_PART))) yield place;
  }
}

/** Merges overlapping and adjacent parts. */
function replaceRuns(text: string, places: Iterable<number>, hidden: string): string {
  let shown = '';
  let end = -1;
  for (const place of places) {
    if (place > end) shown += text.slice(Math.max(0, end), place) + hidden;
    end = place + MIN_PART;
  }
  return end === -1 ? text : shown + text.slice(end);
}
