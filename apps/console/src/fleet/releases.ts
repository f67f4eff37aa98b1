import type { Worker } from '../api/types.js';

export type WorkerState = 'working' | 'draining' | 'missing';

/** A worker that is missing does nothing, drained or not. Pure. */
export function stateOf({ is_present, draining_since }: Worker): WorkerState {
  if (!is_present) return 'missing';
  return draining_since === null ? 'working' : 'draining';
}

/** Workers of one release of the program. */
export interface Release {
  /** Null: of workers that do not say. */
  readonly name: string | null;
  readonly workers: number;
  readonly draining: number;
  readonly slots: number;
  readonly slotsInUse: number;
  /** The start of the one that started last, ISO 8601. */
  readonly lastStart: string;
}

/** Present workers by release, the newest release first. Pure. */
export function releasesOf(workers: readonly Worker[]): Release[] {
  const releases = new Map<string | null, Release>();
  for (const worker of workers.filter(({ is_present }) => is_present)) {
    const before = releases.get(worker.release);
    releases.set(worker.release, {
      name: worker.release,
      workers: (before?.workers ?? 0) + 1,
      draining: (before?.draining ?? 0) + (worker.draining_since === null ? 0 : 1),
      slots: (before?.slots ?? 0) + worker.slots,
      slotsInUse: (before?.slotsInUse ?? 0) + worker.slots_in_use,
      lastStart: later(before?.lastStart ?? '', worker.started_at),
    });
  }
  return [...releases.values()].toSorted((a, b) => b.lastStart.localeCompare(a.lastStart));
}

const later = (a: string, b: string): string => (a > b ? a : b);

/** Slots of all present workers that take executions. Pure. */
export function slotsOf(workers: readonly Worker[]): { readonly total: number; readonly inUse: number } {
  const present = workers.filter(({ is_present }) => is_present);
  return {
    total: present.reduce((sum, { slots }) => sum + slots, 0),
    inUse: present.reduce((sum, { slots_in_use }) => sum + slots_in_use, 0),
  };
}
