import type { JsonObject } from '#libs/kernel';

/** The validation of a value exceeds its limit of steps. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/**
 * Limits the work of one validation. Steps are counted instead of timed, so that equal arguments get the same answer
 * after a crash.
 */
export class ValidationSteps {
  private depth = 0;
  private readonly names = new Map<JsonObject, readonly string[]>();

  /**
   * @param left remaining keywords, names and items to visit
   * @param maxDepth maximum nesting, references included
   */
  constructor(
    private left: number,
    private readonly maxDepth: number,
  ) {}

  /** Throws `TooManySteps` if fewer steps are left. */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooManySteps();
  }

  /** Keys of an object, cached because several schemas may visit the same object. */
  namesOf(object: JsonObject): readonly string[] {
    const known = this.names.get(object);
    if (known !== undefined) return known;
    const names = Object.keys(object);
    this.names.set(object, names);
    this.take(names.length);
    return names;
  }

  /** Runs a nested validation. Throws `TooManySteps` beyond the maximum depth. */
  within<Result>(work: () => Result): Result {
    this.take(1);
    this.depth += 1;
    if (this.depth > this.maxDepth) throw new TooManySteps();
    const result = work();
    this.depth -= 1;
    return result;
  }
}
