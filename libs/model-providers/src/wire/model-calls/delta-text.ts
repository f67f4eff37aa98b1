import { toStorableText } from '#libs/kernel';

/** Text in pieces. A character split between two pieces is held back until it is complete. */
export class DeltaText {
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
