import { randomUUID } from 'node:crypto';
import type { ExecutionView } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
import type { Arrival } from '../programs/failpoints.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import type { CrashLane } from '../services/crash-lane.js';

/** One execution that is hit. It calls its tool in the first round and answers in the second. */
export interface Conversation {
  /** Marks its requests to the model, its tool's input and its metadata. */
  readonly key: string;
  readonly effect: ToolEffect;
  /** As it was accepted. */
  readonly first: Promise<ExecutionView>;
}

export function beginConversation(lane: CrashLane, effect: ToolEffect): Conversation {
  const key = `${effect}-${randomUUID()}`;
  const calls = [{ name: WATCHED_TOOLS[effect], arguments: { item: key, delay_ms: null, fail: null } }];
  const answers = [
    { calls },
    { text: `the answer to ${key}`, delta_characters: 12, latency: { delta_ms: 20 } },
  ];
  const first = lane.submit({ input: scriptedAs(key, answers), metadata: { case: key } });
  // Whoever awaits it comes later; until then a failure is nobody's.
  first.catch(() => undefined);
  return { key, effect, first };
}

/** The execution that waits behind it. */
export async function followUp(lane: CrashLane, { key, first }: Conversation): Promise<ExecutionView> {
  const { session_uuid } = await first;
  const input = scriptedAs(key, [{ text: 'and one more' }]);
  return lane.submit({ session_uuid, input, metadata: { case: key } });
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

/** An input that the model answers by this script; scripts may hold such inputs themselves. */
export function scriptedAs(key: string, answers: readonly object[]): string {
  return `Please.\n\`\`\`sim-script\n${asBlock({ key, answers })}\n\`\`\``;
}

/** The end of the block is looked for in the text, so that nothing inside may look like one. */
function asBlock(script: object): string {
  return JSON.stringify(script).replaceAll('`', '\\u0060');
}
