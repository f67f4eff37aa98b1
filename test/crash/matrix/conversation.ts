import { randomUUID } from 'node:crypto';
import type { ExecutionView } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
import type { Arrival } from '../programs/failpoints.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import type { CrashLane } from '../services/crash-lane.js';
import { serverTool } from '../services/offer-tool-servers.js';
import { scriptedAs } from '../services/scripted-as.js';
import type { ToolPlace } from './crash-case.js';

/** Every batch has executions with a follower and without one, by the effect of their tool. */
export const IS_FOLLOWED: Readonly<Record<ToolEffect, boolean>> = {
  ...{ read: true, idempotent: false, unsafe: true },
};

/** The execution that faults hit. It calls its tool in the first round and answers in the second. */
export interface Conversation {
  /** The key in its requests to the model, its tool's input and its metadata. */
  readonly key: string;
  readonly effect: ToolEffect;
  readonly place: ToolPlace;
  /** The execution as it was accepted. */
  readonly first: Promise<ExecutionView>;
}

export function beginConversation(
  lane: CrashLane,
  effect: ToolEffect,
  place: ToolPlace = 'worker',
): Conversation {
  const key = `${effect}-${randomUUID()}`;
  const answers = [
    { calls: [callOf(effect, place, key)] },
    { text: `the answer to ${key}`, delta_characters: 12, latency: { delta_ms: 20 } },
  ];
  const body = bodyOf(key, answers, key, place);
  const first = agentOf(lane, place).then((agentId) => lane.submit(body, agentId, IS_FOLLOWED[effect]));
  // Without a handler, a failure before the caller awaits it would be an unhandled rejection.
  first.catch(() => undefined);
  return { key, effect, place, first };
}

/** Submits the execution that waits behind the first one. */
export async function followUp(lane: CrashLane, begun: Conversation): Promise<ExecutionView> {
  const { key, place, effect, first } = begun;
  const { session_uuid } = await first;
  const body = bodyOf(key, [{ text: 'and one more' }], followUpKey(key), place);
  return lane.submit({ session_uuid, ...body }, await agentOf(lane, place), IS_FOLLOWED[effect]);
}

/** The key by which tool servers recognise the follow-up. */
export function followUpKey(key: string): string {
  return `${key}-second`;
}

function bodyOf(key: string, answers: readonly object[], token: string, place: ToolPlace): object {
  const tokens = place === 'worker' ? {} : { tokens: { case: token } };
  return { input: scriptedAs(key, answers), metadata: { case: key }, ...tokens };
}

function callOf(effect: ToolEffect, place: ToolPlace, item: string): object {
  const tool = WATCHED_TOOLS[effect];
  if (place === 'worker') return { name: tool, arguments: { item, delay_ms: null, fail: null } };
  return { name: serverTool(place, tool), arguments: { item } };
}

async function agentOf(lane: CrashLane, place: ToolPlace): Promise<number> {
  return place === 'worker' ? 1 : (await lane.serverAgents())[place];
}

/** Whether a process is through with its attempt, however that ended. `since`: with the one that it stood there in. */
export function hasEndedJob(lane: CrashLane, pid: number, executionId: string, since?: Arrival): boolean {
  const { visitors } = lane.board;
  return visitors
    .slice(since === undefined ? 0 : visitors.indexOf(since))
    .some(
      (visitor) =>
        visitor.point === 'attempt.after_end' && visitor.pid === pid && visitor.executionId === executionId,
    );
}
