import { toStorableText } from '#libs/kernel';

/** Text that arrives in pieces: a character that is cut in two between pieces is held back until it is whole. */
export class DeltaText {
  private whole = '';
  private held = '';

  /** Takes the next piece; answers what may be shown now. */
  push(piece: string): string {
    const arrived = this.held + piece;
    const isCut = isHighSurrogate(arrived.charCodeAt(arrived.length - 1));
    this.held = isCut ? arrived.slice(-1) : '';
    return this.add(isCut ? arrived.slice(0, -1) : arrived);
  }

  /** No more pieces: answers what was held back, made whole. */
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
