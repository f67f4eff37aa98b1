import { toStorableText } from '#libs/kernel';

const MOST_WARNINGS = 20;
const LONGEST_WARNING = 300;

/** What a tenant should know of a server: few, short, and without control characters, whoever wrote what they quote. */
export class Warnings {
  private readonly kept: string[] = [];
  private dropped = 0;

  add(text: string): void {
    if (this.kept.length >= MOST_WARNINGS - 1) this.dropped += 1;
    else this.kept.push(toLine(text, LONGEST_WARNING));
  }

  list(): readonly string[] {
    return this.dropped === 0 ? [...this.kept] : [...this.kept, `and ${this.dropped} more`];
  }
}

/** One line of at most `longest` characters. */
export function toLine(text: string, longest: number): string {
  // No more than what may be needed is looked at: the text may have megabytes.
  const line = toStorableText(text.slice(0, longest * 2)).replace(/[\p{C}\s]+/gu, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`.replace(/[\ud800-\udbff]…$/, '…');
}
