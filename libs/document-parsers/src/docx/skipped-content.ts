import type { Attributes } from './read-xml.js';

/** Deleted text, and text moved elsewhere. */
const REMOVED = new Set(['w:del', 'w:moveFrom']);

/** Determines the visible elements: one form of each alternative, without removed or hidden text. */
export class SkippedContent {
  /** Nesting depth within a skipped element. */
  private depth = 0;
  /** Per open alternative: true once one of its forms was read. */
  private readonly alternatives: boolean[] = [];
  private isInRun = false;
  private isHidden = false;

  get isSkipping(): boolean {
    return this.depth > 0 || this.isHidden;
  }

  /** Returns true if the element is visible. */
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

  /** Returns true if the element was visible. */
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

/** A Word property without a value is on. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !['0', 'false', 'off'].includes(value.toLowerCase());
}
