const QUOTE = '"';

/**
 * Tracks whether a JSON object, list or text that arrives in pieces is complete. Each character is read once, so the cost
 * is linear in the length. Validity is left to the parser.
 */
export class JsonExtent {
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private hasClosed = false;

  /** True from the first brace or quote until it is closed. */
  get isOpen(): boolean {
    return this.depth > 0 || this.isInText;
  }

  /** True once the outermost brace or quote was closed. */
  get isWhole(): boolean {
    return this.hasClosed && !this.isOpen;
  }

  push(piece: string): void {
    for (const character of piece) {
      if (this.isInText) this.passText(character);
      else if (character === QUOTE) this.isInText = true;
      else if (character === '{' || character === '[') this.depth += 1;
      else if ((character === '}' || character === ']') && this.depth > 0) this.leave(this.depth - 1);
    }
  }

  private passText(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === QUOTE) {
      this.isInText = false;
      this.leave(this.depth);
    }
  }

  private leave(depth: number): void {
    this.depth = depth;
    this.hasClosed ||= depth === 0;
  }
}
