import type { ChaosWorld, FollowerRecord, StreamedEvent, TimeSpan } from '../ledgers/chaos-world.js';
import type { ExecutionRow } from '../ledgers/database-ledger.js';
import { SETTLED, type Violation } from './violation.js';

/**
 * I12: a follower gets every number once and in order, over all its connections, and `result` as the last one. Where
 * the store of the events was down meanwhile, numbers may be missing, but none may go back.
 */
export function checkEventOrder(world: ChaosWorld): Violation[] {
  const executions = new Map(world.database.executions.map((row) => [row.id, row]));
  return world.followers.flatMap((follower) => {
    const execution = executions.get(follower.executionId);
    const mayLose = execution !== undefined && wasDisturbed(execution, follower, world.streamOutages);
    return brokenOrder(follower, execution, mayLose).map((detail) => ({
      invariant: 'I12',
      subject: follower.executionId,
      detail,
    }));
  });
}

function brokenOrder(
  follower: FollowerRecord,
  execution: ExecutionRow | undefined,
  mayLose: boolean,
): string[] {
  const events = follower.connections.flatMap((connection) => connection.events);
  const problems: string[] = [];
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]?.id ?? 0;
    if (event.id <= before) problems.push(`event ${event.id} came after event ${before}`);
    else if (event.id > before + 1 && !mayLose) problems.push(`event ${event.id} came right after ${before}`);
  }
  const results = events.filter((event) => event.event === 'result');
  const hasEnded = execution !== undefined && SETTLED.has(execution.status);
  if (hasEnded && results.length !== 1) problems.push(`${results.length} results came`);
  if (results.length > 0 && events.at(-1)?.event !== 'result')
    problems.push(`"${events.at(-1)?.event ?? ''}" came after the result`);
  return problems.slice(0, 3);
}

/** I13: the text that was streamed, without what a restarted attempt takes back, is the text that was stored. */
export function checkStreamedText(world: ChaosWorld): Violation[] {
  const executions = new Map(world.database.executions.map((row) => [row.id, row]));
  const answers = new Map(
    world.database.messages
      .filter((message) => message.role === 'assistant')
      .map((message) => [message.executionId, message.content]),
  );
  return world.followers.flatMap((follower): Violation[] => {
    const execution = executions.get(follower.executionId);
    if (execution?.status !== 'completed' || wasDisturbed(execution, follower, world.streamOutages))
      return [];
    const streamed = lastRoundText(follower.connections.flatMap((connection) => connection.events));
    const stored = answers.get(follower.executionId) ?? '';
    if (streamed === stored) return [];
    return [
      {
        invariant: 'I13',
        subject: follower.executionId,
        detail: `streamed "${streamed}", stored "${stored}"`,
      },
    ];
  });
}

function lastRoundText(events: readonly StreamedEvent[]): string {
  const texts = new Map<number, string>();
  for (const event of events) {
    if (event.round === null) continue;
    if (event.event === 'attempt_restarted') {
      for (const round of [...texts.keys()]) if (round >= event.round) texts.delete(round);
    } else if (event.event === 'text_delta') {
      texts.set(event.round, (texts.get(event.round) ?? '') + (event.text ?? ''));
    }
  }
  return texts.get(Math.max(0, ...texts.keys())) ?? '';
}

function wasDisturbed(
  { createdAt }: ExecutionRow,
  { endedAt }: FollowerRecord,
  outages: readonly TimeSpan[],
): boolean {
  return outages.some((outage) => outage.from <= endedAt && outage.to >= createdAt);
}
