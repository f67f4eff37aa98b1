const MAX_DELTAS = 400;
const PADDED_TO = 16;
const PADDING = 'qX7mLd2RkTz9WbVh';

/** Splits a text into pieces of `characters` code points; long texts get larger pieces. */
export function splitDeltas(text: string, characters: number): readonly string[] {
  const size = Math.max(characters, Math.ceil(text.length / MAX_DELTAS), 1);
  const pieces: string[] = [];
  let [piece, count] = ['', 0];
  for (const character of text) {
    piece += character;
    count += 1;
    if (count < size) continue;
    pieces.push(piece);
    [piece, count] = ['', 0];
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** Padding that hides the length of a delta, as in the real API. */
export function obfuscationOf(delta: string): string {
  return PADDING.slice(0, PADDED_TO - (delta.length % PADDED_TO));
}
