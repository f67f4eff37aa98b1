import { toStorableText } from '#libs/kernel';

/** Separator between two parts of a text, streamed or not. */
export const BETWEEN_PARTS = '\n';

/** Text in parts that each arrive in pieces: every part begins a new line, as in a text that arrives complete. */
export class PartedText {
  private readonly text = new DeltaText();
  private readonly heardParts = new Set<string>();
  private current: string | null = null;

  /** Appends the next piece of `part`; returns the text that may be shown now. */
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

  /** Ends the text; returns the held-back rest, made well-formed. */
  end(): string {
    return this.text.end();
  }

  toString(): string {
    return this.text.toString();
  }
}

/** Text in pieces. A character split between two pieces is held back until it is complete. */
class DeltaText {
  private whole = '';
  private held = '';

  /** Appends the next piece; returns the text that may be shown now. */
  push(piece: string): string {
    const arrived = this.held + piece;
    const isCut = isHighSurrogate(arrived.charCodeAt(arrived.length - 1));
    this.held = isCut ? arrived.slice(-1) : '';
    return this.add(isCut ? arrived.slice(0, -1) : arrived);
  }

  /** Ends the text; returns the held-back part, made well-formed. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return this.add(rest);
  }

  toString(): string {
    return this.whole;
  }

  private add(text: string): string {
    const shown = toStorableText(text);
    this.whole += shown;
    return shown;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
