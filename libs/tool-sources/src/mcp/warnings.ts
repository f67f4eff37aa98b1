import { toStorableText } from '#libs/kernel';

const MAX_WARNINGS = 20;
const MAX_WARNING = 300;

/** Warnings on a server for its tenant: at most 20, at most 300 characters each, without control characters. */
export class Warnings {
  private readonly kept: string[] = [];
  private dropped = 0;

  add(text: string): void {
    if (this.kept.length >= MAX_WARNINGS - 1) this.dropped += 1;
    else this.kept.push(toLine(text, MAX_WARNING));
  }

  list(): readonly string[] {
    return this.dropped === 0 ? [...this.kept] : [...this.kept, `and ${this.dropped} more`];
  }
}

export function toLine(text: string, longest: number): string {
  // Looks at a bounded beginning only: the text may have megabytes.
  const line = toStorableText(text.slice(0, longest * 2)).replace(/[\p{C}\s]+/gu, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`.replace(/[\ud800-\udbff]…$/, '…');
}
