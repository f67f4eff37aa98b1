import type { Attributes } from './read-xml.js';

/** Text that was deleted, or that has moved to another place. */
const REMOVED = new Set(['w:del', 'w:moveFrom']);

/** Follows which elements a reader of the document sees: one form of each alternative, no removed or hidden text. */
export class SkippedContent {
  /** How deep it is in what is skipped. */
  private depth = 0;
  /** For each alternative that is open: whether one of its forms was read. */
  private readonly alternatives: boolean[] = [];
  private isInRun = false;
  private isHidden = false;

  get isSkipping(): boolean {
    return this.depth > 0 || this.isHidden;
  }

  /** Answers whether the element is read. */
  enter(name: string, attributes: Attributes): boolean {
    if (this.depth > 0 || this.skips(name)) {
      this.depth += 1;
      return false;
    }
    if (name === 'mc:AlternateContent') this.alternatives.push(false);
    if (name === 'w:r') {
      this.isInRun = true;
      this.isHidden = false;
    }
    if (name === 'w:vanish' && this.isInRun) this.isHidden = isOn(attributes['w:val']);
    return true;
  }

  /** Answers whether the element was read. */
  leave(name: string): boolean {
    if (this.depth > 0) {
      this.depth -= 1;
      return false;
    }
    if (name === 'mc:AlternateContent') this.alternatives.pop();
    if (name === 'w:r') {
      this.isInRun = false;
      this.isHidden = false;
    }
    return true;
  }

  private skips(name: string): boolean {
    if (REMOVED.has(name)) return true;
    if (name !== 'mc:Choice' && name !== 'mc:Fallback') return false;
    const isRead = this.alternatives.at(-1) ?? false;
    if (this.alternatives.length > 0) this.alternatives[this.alternatives.length - 1] = true;
    return isRead;
  }
}

/** A property of Word that is there is on, unless it says otherwise. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off'].includes(value.toLowerCase());
}
