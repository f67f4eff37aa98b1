import type { Failpoint } from '../programs/failpoints.js';
import { TRANSPORTS, type Transport } from '../services/offer-tool-servers.js';
import { CRASH_ACTIONS, effectGroups, type CrashAction, type CrashBatch } from './crash-case.js';

/** In the order in which an execution passes them: around the connection to a server, and every step of a call. */
const POINTS: readonly Failpoint[] = [
  'claim.after',
  'server.connecting',
  'server.listing',
  'model.before_call',
  'tool.after_intent_before_call',
  'tool.during_call',
  'server.half_way',
  'tool.after_effect_before_commit',
  'tool.after_commit',
  'drain.after_give_back',
  'settle.before_commit',
  'settle.after_commit_before_events',
  'attempt.after_end',
];

/** Every failpoint, action and tool over every transport; the queues do not matter here and take turns. */
export function wholeToolServerMatrix(): CrashBatch[] {
  return TRANSPORTS.flatMap((place) =>
    POINTS.filter((point) => isPassed(place, point)).flatMap((point) =>
      CRASH_ACTIONS.flatMap((action) =>
        groupsAt(point).map((effects) => ({ points: [point], action, effects, place })),
      ),
    ),
  ).map((batch, index) => ({ ...batch, backend: index % 2 === 0 ? 'postgres' : 'redis' }));
}

/** Each step of a call to a server, both actions, and each transport on which a worker holds resources open. */
export function smokeToolServerMatrix(): CrashBatch[] {
  const chosen: readonly [Transport, Failpoint, CrashAction][] = [
    ['http', 'server.connecting', 'kill'],
    ['stdio', 'tool.during_call', 'kill'],
    ['sse', 'server.half_way', 'kill'],
    ['http', 'server.listing', 'stop'],
  ];
  return chosen.map(([place, point, action], index) => ({
    ...{ place, points: [point], action, effects: groupsAt(point)[0] ?? [] },
    backend: index % 2 === 0 ? 'postgres' : 'redis',
  }));
}

/**
 * Before the call its effect makes no difference; and an opening has a timeout, within which all executions have to be held.
 */
function groupsAt(point: Failpoint): ReturnType<typeof effectGroups> {
  return point === 'server.connecting' || point === 'server.listing' ? [['unsafe']] : effectGroups(point);
}

/** False at points of connecting over `openapi`: an HTTP service is not connected to before its call. */
function isPassed(place: Transport, point: Failpoint): boolean {
  return place !== 'openapi' || (point !== 'server.connecting' && point !== 'server.listing');
}
