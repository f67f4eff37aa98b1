/** Maximum characters of a heading shown with its chunks. */
export const MAX_HEADING_CHARS = 200;

interface Heading {
  readonly level: number;
  readonly text: string;
  /** True if a chunk lies under this heading. */
  isUsed: boolean;
}

/** The path of headings above the next text. */
export class HeadingPath {
  private path: readonly Heading[] = [];

  get texts(): readonly string[] {
    return this.path.map(({ text }) => text);
  }

  /** Marks all headings of the path as used by a chunk. */
  use(): void {
    for (const heading of this.path) heading.isUsed = true;
  }

  /**
   * Leaves headings of this and deeper levels, deepest first.
   *
   * @param onUnused called for each heading without text, which would otherwise be lost; its parent path is still in
   *   place
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
