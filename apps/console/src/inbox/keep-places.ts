import type { ExecutionSummary } from '../api/types.js';

export interface Kept {
  readonly run: ExecutionSummary;
  /** False once it does not wait any more. */
  readonly isWaiting: boolean;
}

/**
 * Runs of the inbox in the places that they had: one that was decided stays where it is, so that no other run moves under
 * the pointer. Returns `before` itself where nothing has changed. Pure.
 */
export function keepPlaces(before: readonly Kept[], waiting: readonly ExecutionSummary[]): readonly Kept[] {
  const current = new Map(waiting.map((run) => [run.id, run]));
  const places = before.map((kept): Kept => {
    const run = current.get(kept.run.id);
    if (run === kept.run && kept.isWaiting) return kept;
    if (run !== undefined) return { run, isWaiting: true };
    return kept.isWaiting ? { ...kept, isWaiting: false } : kept;
  });
  const known = new Set(before.map(({ run }) => run.id));
  const added = waiting.filter(({ id }) => !known.has(id)).map((run): Kept => ({ run, isWaiting: true }));
  const isSame = added.length === 0 && places.every((kept, index) => kept === before[index]);
  return isSame ? before : [...places, ...added];
}
