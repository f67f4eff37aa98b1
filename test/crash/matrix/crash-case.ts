import type { ToolEffect } from '#libs/tooling';
import type { QueueBackend } from '../../support/services/deployment.js';
import { FAILPOINTS, type Failpoint } from '../programs/failpoints.js';
import type { Transport } from '../services/offer-tool-servers.js';

/** `kill`: the process ends. `stop`: it is frozen until another process has finished its work, and then goes on. */
export type CrashAction = 'kill' | 'stop';
export const CRASH_ACTIONS = ['kill', 'stop'] as const satisfies readonly CrashAction[];
const TOOL_EFFECTS = ['read', 'idempotent', 'unsafe'] as const satisfies readonly ToolEffect[];

/** Where the tool runs: in the worker's process, or at a tool server of the tenant over this transport. */
export type ToolPlace = 'worker' | Transport;

export interface CrashCase {
  readonly point: Failpoint;
  readonly action: CrashAction;
  readonly effect: ToolEffect;
}

/** Cases of one process, which dies when each of its executions is held at its failpoint. */
export interface CrashBatch {
  readonly backend: QueueBackend;
  /** Every point is combined with every effect. */
  readonly points: readonly Failpoint[];
  readonly action: CrashAction;
  readonly effects: readonly ToolEffect[];
  readonly place: ToolPlace;
}

export function describeBatch({ points, action, effects, backend, place }: CrashBatch): string {
  const at = points.length === 1 ? points.join() : `each of ${points.length} failpoints`;
  const by = place === 'worker' ? '' : ` by ${place}`;
  return `${action} at ${at}, ${effects.join(' and ')} tool${by}, queue in ${backend}`;
}

/** Every failpoint, action and tool on one backend. */
export function wholeMatrix(backend: QueueBackend): CrashBatch[] {
  return FAILPOINTS.flatMap((point) =>
    CRASH_ACTIONS.flatMap((action) =>
      effectGroups(point).map((effects) => ({
        ...{ backend, points: [point], action, effects },
        place: 'worker' as const,
      })),
    ),
  );
}

/** Failpoints at which an execution holds no lock or batch that other executions need to reach theirs. */
const APART: readonly Failpoint[] = [
  'claim.after',
  'model.before_call',
  'model.mid_stream',
  'model.after_response_before_commit',
  'tool.after_intent_before_call',
  'tool.during_call',
  'tool.after_effect_before_commit',
  'tool.after_commit',
  'settle.after_commit_before_events',
  'attempt.after_end',
];

/**
 * Covers every failpoint: one worker is killed with executions at all points of `APART`, another one is frozen likewise. At
 * each other failpoint one process dies; actions, tools and backends take turns.
 */
export function smokeMatrix(): CrashBatch[] {
  const together = { points: APART, effects: TOOL_EFFECTS, place: 'worker' } as const;
  const alone = FAILPOINTS.filter((point) => !APART.includes(point)).map((point, index): CrashBatch => {
    const groups = effectGroups(point);
    return {
      backend: index % 2 === 0 ? 'postgres' : 'redis',
      points: [point],
      action: Math.floor(index / 2) % 2 === 0 ? 'kill' : 'stop',
      effects: groups[index % groups.length] ?? TOOL_EFFECTS,
      place: 'worker',
    };
  });
  return [
    { ...together, backend: 'postgres', action: 'kill' },
    { ...together, backend: 'redis', action: 'stop' },
    ...alone,
  ];
}

/**
 * Groups the effects that one batch can hold at the point. A dispatcher sends one batch at a time, and so does an API to a
 * worker: a process held there holds one execution. A worker has two settling statements under way; other endings wait for
 * one of them.
 */
export function effectGroups(point: Failpoint): readonly (readonly ToolEffect[])[] {
  if (/^(?:dispatch|hand)\./.test(point)) return TOOL_EFFECTS.map((effect) => [effect]);
  const holdsStatement = point === 'settle.before_commit' || point === 'settle.commit_sent_no_ack';
  return holdsStatement ? [['idempotent', 'unsafe'], ['read']] : [TOOL_EFFECTS];
}
