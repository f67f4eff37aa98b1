import type { QueueBackend } from '../../support/services/deployment.js';
import type { Failpoint } from '../programs/failpoints.js';
import type { CrashAction } from './crash-case.js';

/**
 * Three agents at once, and a process that dies with one execution held at each visit of a failpoint: the first at
 * its first,
 * the second at its second, and so on, whichever of its loops comes there.
 */
export interface ScopeBatch {
  readonly backend: QueueBackend;
  readonly point: Failpoint;
  readonly action: CrashAction;
  /** More than the visits of an execution: that the last one is never held shows that none was left out. */
  readonly visits: number;
}

export function describeScopeBatch({ point, action, backend }: ScopeBatch): string {
  return `${action} at every ${point}, three agents at once, queue in ${backend}`;
}

/** How often an execution comes by, and once more. */
const VISITS: Partial<Record<Failpoint, number>> = {
  'journal.before_commit': 11,
  'journal.after_commit': 11,
  'claim.after': 3,
  'model.before_call': 8,
  'model.mid_stream': 8,
  'model.after_response_before_commit': 8,
  'tool.after_intent_before_call': 4,
  'tool.during_call': 4,
  'tool.after_effect_before_commit': 4,
  'tool.after_commit': 8,
  'settle.before_commit': 2,
  'settle.after_commit_before_events': 2,
  'attempt.after_end': 3,
};

const ACTIONS: readonly CrashAction[] = ['kill', 'stop'];

/** Every failpoint inside an attempt, at every visit, on one backend. */
export function wholeScopeMatrix(backend: QueueBackend): ScopeBatch[] {
  return (Object.entries(VISITS) as [Failpoint, number][]).flatMap(([point, visits]) =>
    ACTIONS.map((action) => ({ backend, point, action, visits })),
  );
}

/** Every commit of an execution: killed right before it on one backend, right after it on the other. */
export function smokeScopeMatrix(): ScopeBatch[] {
  const [before, after] = ['journal.before_commit', 'journal.after_commit'] as const;
  return [
    { backend: 'postgres', point: before, action: 'kill', visits: VISITS[before] ?? 0 },
    { backend: 'redis', point: after, action: 'kill', visits: VISITS[after] ?? 0 },
  ];
}
