import type { ChaosWorld } from '../ledgers/chaos-world.js';

/** A promise that was broken, e.g. `I4`, by what, and how. */
export interface Violation {
  readonly invariant: string;
  /** The execution, conversation, key or process that it is about. */
  readonly subject: string;
  readonly detail: string;
}

/** Pure: which promises of one kind this world breaks. */
export type Check = (world: ChaosWorld) => Violation[];

export const SETTLED: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
