import { randomUUID } from 'node:crypto';
import type { ExecutionView } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
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

/** Whether a process is through with its attempt, however that ended. */
export function hasEndedJob(lane: CrashLane, pid: number, executionId: string): boolean {
  return lane.board.visitors.some(
    (visitor) =>
      visitor.point === 'queue.before_ack' && visitor.pid === pid && visitor.executionId === executionId,
  );
}

function scriptedAs(key: string, answers: readonly object[]): string {
  return `Please.\n\`\`\`sim-script\n${JSON.stringify({ key, answers })}\n\`\`\``;
}
