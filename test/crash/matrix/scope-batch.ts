import type { QueueBackend } from '../../support/services/deployment.js';
import type { Failpoint } from '../programs/failpoints.js';
import type { CrashAction } from './crash-case.js';

/**
 * Executions with loops inside, and the death of a process that holds one of them at each visit of a failpoint: the first
 * execution at the first visit, the second at the second visit, counted over all loops of an execution.
 */
export interface ScopeBatch {
  /** `agents`: three agents called at once; `steps`: a step of every kind; `orders`: the steps of `orderEntryWorkflow`. */
  readonly of: LoopsInside;
  readonly backend: QueueBackend;
  readonly point: Failpoint;
  readonly action: CrashAction;
  /** More than an execution makes: as the last visit is never held, none was left out. */
  readonly visits: number;
}

export type LoopsInside = (typeof LOOPS_INSIDE)[number];
export const LOOPS_INSIDE = ['agents', 'steps', 'orders'] as const;

const NAMES: Readonly<Record<LoopsInside, string>> = {
  agents: 'three agents at once',
  steps: 'a step of every kind',
  orders: 'an order through its workflow',
};

export function describeScopeBatch({ of, point, action, backend }: ScopeBatch): string {
  return `${action} at every ${point}, ${NAMES[of]}, queue in ${backend}`;
}

type Visits = Readonly<Partial<Record<Failpoint, number>>>;

/** The number of visits of an execution, plus one. */
const VISITS: Readonly<Record<LoopsInside, Visits>> = {
  agents: {
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
  },
  steps: {
    'journal.before_commit': 30,
    'journal.after_commit': 30,
    'claim.after': 2,
    'model.before_call': 11,
    'model.mid_stream': 11,
    'model.after_response_before_commit': 11,
    'tool.after_intent_before_call': 8,
    'tool.during_call': 8,
    'tool.after_effect_before_commit': 8,
    'tool.after_commit': 20,
    'settle.before_commit': 2,
    'settle.after_commit_before_events': 2,
    'attempt.after_end': 2,
  },
  orders: {
    'journal.before_commit': 15,
    'journal.after_commit': 15,
    'claim.after': 2,
    'model.before_call': 6,
    'model.mid_stream': 6,
    'model.after_response_before_commit': 6,
    'tool.after_intent_before_call': 10,
    'tool.during_call': 4,
    'tool.after_effect_before_commit': 10,
    'tool.after_commit': 10,
    'settle.before_commit': 2,
    'settle.commit_sent_no_ack': 2,
    'settle.after_commit_before_events': 2,
    'attempt.after_end': 2,
  },
};

const ACTIONS: readonly CrashAction[] = ['kill', 'stop'];

/** Every failpoint inside an attempt, at every visit, on one backend. */
export function wholeScopeMatrix(backend: QueueBackend): ScopeBatch[] {
  return LOOPS_INSIDE.flatMap((of) =>
    (Object.entries(VISITS[of]) as [Failpoint, number][]).flatMap(([point, visits]) =>
      ACTIONS.map((action) => ({ of, backend, point, action, visits })),
    ),
  );
}

/** Kills right before every commit of an execution on one backend, and right after it on the other. */
export function smokeScopeMatrix(): ScopeBatch[] {
  const kill = (of: LoopsInside, backend: QueueBackend, point: Failpoint): ScopeBatch => ({
    ...{ of, backend, point, action: 'kill', visits: VISITS[of][point] ?? 0 },
  });
  return [
    kill('steps', 'postgres', 'journal.before_commit'),
    kill('agents', 'redis', 'journal.after_commit'),
  ];
}
