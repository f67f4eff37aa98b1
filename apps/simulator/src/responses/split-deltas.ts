const MOST_DELTAS = 400;
const PADDED_TO = 16;
const PADDING = 'qX7mLd2RkTz9WbVh';

/** Cuts a text into pieces of `characters` code points, larger ones for a long text; together they are the text. */
export function splitDeltas(text: string, characters: number): readonly string[] {
  const size = Math.max(characters, Math.ceil(text.length / MOST_DELTAS), 1);
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

/** Padding that hides how long a delta is, as the real API adds it. */
export function obfuscationOf(delta: string): string {
  return PADDING.slice(0, PADDED_TO - (delta.length % PADDED_TO));
}
