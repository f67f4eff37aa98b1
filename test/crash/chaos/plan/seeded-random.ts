/** Repeatable random numbers: the same seed gives the same draws (mulberry32). */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The next number, 0 ≤ x < 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A number from `low` (included) to `high` (excluded). */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(0, choices.length - 1)] ?? choices[0];
  }

  /** An independent source for one part of a run, so that changes in one part do not affect the draws of others. */
  fork(name: string): SeededRandom {
    let hash = Math.floor(this.next() * 4_294_967_296);
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    return new SeededRandom(hash);
  }
}
