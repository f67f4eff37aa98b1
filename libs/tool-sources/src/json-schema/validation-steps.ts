import type { JsonObject } from '#libs/kernel';

/** A value needs more steps than it may take. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/**
 * The work that one validation may take, counted rather than timed: after a crash the same arguments get the same answer.
 */
export class ValidationSteps {
  private depth = 0;
  private readonly names = new Map<JsonObject, readonly string[]>();

  /**
   * @param left keywords, names and items that may still be looked at
   * @param maxDepth schemas within schemas, references followed
   */
  constructor(
    private left: number,
    private readonly maxDepth: number,
  ) {}

  /** Throws `TooManySteps` where there are not as many left. */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooManySteps();
  }

  /** The names of an object. To list them is work: it is done once, however many schemas look at the object. */
  namesOf(object: JsonObject): readonly string[] {
    const known = this.names.get(object);
    if (known !== undefined) return known;
    const names = Object.keys(object);
    this.names.set(object, names);
    this.take(names.length);
    return names;
  }

  /** Runs a validation within the one under way. Throws `TooManySteps` where it lies too deep. */
  within<Result>(work: () => Result): Result {
    this.take(1);
    this.depth += 1;
    if (this.depth > this.maxDepth) throw new TooManySteps();
    const result = work();
    this.depth -= 1;
    return result;
  }
}
