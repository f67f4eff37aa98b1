import type { ChaosWorld } from '../ledgers/chaos-world.js';

/** A broken promise: the invariant, such as `I4`, its subject and the details. */
export interface Violation {
  readonly invariant: string;
  /** The execution, conversation, key or process that broke the promise. */
  readonly subject: string;
  readonly detail: string;
}

/** Finds the violations of one invariant. Pure. */
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
