import type { ToolEffect } from '#libs/tooling';
import type { QueueBackend } from '../../support/services/deployment.js';
import { FAILPOINTS, type Failpoint } from '../programs/failpoints.js';
import type { Transport } from '../services/offer-tool-servers.js';

/** `kill`: the process is gone. `stop`: it is frozen until another one has finished its work, and goes on then. */
export type CrashAction = 'kill' | 'stop';
export const CRASH_ACTIONS = ['kill', 'stop'] as const satisfies readonly CrashAction[];
const TOOL_EFFECTS = ['read', 'idempotent', 'unsafe'] as const satisfies readonly ToolEffect[];

/** Where the tool is: in the process of the worker, or at a tool server of the tenant that is reached so. */
export type ToolPlace = 'worker' | Transport;

export interface CrashCase {
  readonly point: Failpoint;
  readonly action: CrashAction;
  readonly effect: ToolEffect;
}

/** Cases that one process dies of at once: its executions wait for each other at the failpoint. */
export interface CrashBatch {
  readonly backend: QueueBackend;
  readonly point: Failpoint;
  readonly action: CrashAction;
  readonly effects: readonly ToolEffect[];
  readonly place: ToolPlace;
}

export function describeBatch({ point, action, effects, backend, place }: CrashBatch): string {
  const at = place === 'worker' ? '' : ` by ${place}`;
  return `${action} at ${point}, ${effects.join(' and ')} tool${at}, queue in ${backend}`;
}

/** Every failpoint, action and tool on one backend. */
export function wholeMatrix(backend: QueueBackend): CrashBatch[] {
  return FAILPOINTS.flatMap((point) =>
    CRASH_ACTIONS.flatMap((action) =>
      effectGroups(point).map((effects) => ({ backend, point, action, effects, place: 'worker' as const })),
    ),
  );
}

/** Every failpoint once: actions, tools and backends take turns. */
export function smokeMatrix(): CrashBatch[] {
  return FAILPOINTS.map((point, index) => {
    const groups = effectGroups(point);
    return {
      backend: index % 2 === 0 ? 'postgres' : 'redis',
      point,
      action: Math.floor(index / 2) % 2 === 0 ? 'kill' : 'stop',
      effects: groups[index % groups.length] ?? TOOL_EFFECTS,
      place: 'worker',
    };
  });
}

/**
 * A dispatcher sends one batch at a time, so whoever is held there holds one execution. A worker has two settling statements
 * under way; what would end besides them waits for one of these.
 */
export function effectGroups(point: Failpoint): readonly (readonly ToolEffect[])[] {
  if (point.startsWith('dispatch.')) return TOOL_EFFECTS.map((effect) => [effect]);
  const holdsStatement = point === 'settle.before_commit' || point === 'settle.commit_sent_no_ack';
  return holdsStatement ? [['idempotent', 'unsafe'], ['read']] : [TOOL_EFFECTS];
}
