/** A longer heading is cut where chunks stand under it. */
export const MAX_HEADING_CHARS = 200;

interface Heading {
  readonly level: number;
  readonly text: string;
  /** Whether a chunk stands under it. */
  isUsed: boolean;
}

/** The headings that the next text stands under. */
export class HeadingPath {
  private path: readonly Heading[] = [];

  get texts(): readonly string[] {
    return this.path.map(({ text }) => text);
  }

  /** A chunk stands under all of them. */
  use(): void {
    for (const heading of this.path) heading.isUsed = true;
  }

  /**
   * Leaves the headings of this level and below it, deepest first.
   *
   * @param onUnused for each that nothing stands under, with the path above it in place: it would be lost
   */
  leave(level: number, onUnused: (text: string) => void): void {
    for (;;) {
      const last = this.path.at(-1);
      if (last === undefined || last.level < level) return;
      this.path = this.path.slice(0, -1);
      if (!last.isUsed) onUnused(last.text);
    }
  }

  enter(level: number, text: string): void {
    const short = text.replace(/\s+/g, ' ').trim().slice(0, MAX_HEADING_CHARS);
    if (short !== '') this.path = [...this.path, { level, text: short.toWellFormed(), isUsed: false }];
  }
}
