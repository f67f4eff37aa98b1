import { DeltaText } from './delta-text.js';

/** What stands between two parts of a text, streamed or not. */
export const BETWEEN_PARTS = '\n';

/** A text that arrives in parts, and each part in pieces: a new part begins a new line, as in a text that comes whole. */
export class PartedText {
  private readonly text = new DeltaText();
  private readonly heardParts = new Set<string>();
  private current: string | null = null;

  /** Takes the next piece of the part called `part`; answers what may be shown now. */
  push(part: string, piece: string): string {
    if (piece === '') return '';
    const isNew = this.current !== null && this.current !== part;
    this.current = part;
    this.heardParts.add(part);
    if (!isNew) return this.text.push(piece);
    const rest = this.text.end();
    return rest + this.text.push(BETWEEN_PARTS) + this.text.push(piece);
  }

  hasHeard(part: string): boolean {
    return this.heardParts.has(part);
  }

  /** No more pieces: answers what was held back, made whole. */
  end(): string {
    return this.text.end();
  }

  toString(): string {
    return this.text.toString();
  }
}
