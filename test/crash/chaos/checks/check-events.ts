import type { ChaosWorld, FollowerRecord, StreamedEvent, TimeSpan } from '../ledgers/chaos-world.js';
import type { ExecutionRow } from '../ledgers/database-ledger.js';
import { overlaps } from './time-spans.js';
import { SETTLED, type Violation } from './violation.js';

/**
 * I12: a follower gets every event number once and in order over all its connections, and `result` last. Numbers may be
 * missing only where the event store was away between the two events around the gap.
 */
export function checkEventOrder(world: ChaosWorld): Violation[] {
  const executions = new Map(world.database.executions.map((row) => [row.id, row]));
  return world.followers.flatMap((follower) =>
    brokenOrder(follower, executions.get(follower.executionId), world.streamOutages).map((detail) => ({
      invariant: 'I12',
      subject: follower.executionId,
      detail,
    })),
  );
}

function brokenOrder(
  follower: FollowerRecord,
  execution: ExecutionRow | undefined,
  outages: readonly TimeSpan[],
): string[] {
  const events = follower.connections.flatMap((connection) => connection.events);
  const problems: string[] = [];
  for (const [index, event] of events.entries()) {
    const before = events[index - 1] ?? { id: 0, at: 0 };
    // The first event was emitted at the acceptance, even if the follower connected later.
    const from = before.id <= 1 ? (execution?.createdAt ?? 0) : before.at;
    const mayLack = outages.some((outage) => overlaps(outage, { from, to: event.at }));
    if (event.id <= before.id) problems.push(`event ${event.id} came after event ${before.id}`);
    else if (event.id > before.id + 1 && !mayLack)
      problems.push(`event ${event.id} came right after ${before.id}`);
  }
  const results = events.filter((event) => event.event === 'result');
  const hasEnded = execution !== undefined && SETTLED.has(execution.status);
  const isExpected = hasEnded && !leftBeforeTheEnd(follower, execution);
  if ((isExpected || results.length > 0) && results.length !== 1)
    problems.push(`${results.length} results came`);
  const last = events.findLast((event) => event.event !== 'title_generated');
  if (results.length > 0 && last?.event !== 'result')
    problems.push(`"${last?.event ?? ''}" came after the result`);
  return problems.slice(0, 3);
}

/**
 * I13: the streamed text, without the parts that a restarted attempt revokes, is the stored text. If the event store was
 * away before the follower's end, parts may be missing, but none is added.
 */
export function checkStreamedText(world: ChaosWorld): Violation[] {
  const executions = new Map(world.database.executions.map((row) => [row.id, row]));
  const answers = new Map(
    world.database.messages
      .filter((message) => message.role === 'assistant')
      .map((message) => [message.executionId, message.content]),
  );
  return world.followers.flatMap((follower): Violation[] => {
    const execution = executions.get(follower.executionId);
    if (execution?.status !== 'completed' || leftBeforeTheEnd(follower, execution)) return [];
    const pieces = lastRound(follower.connections.flatMap((connection) => connection.events));
    const stored = answers.get(follower.executionId) ?? '';
    const isRight = mayLackText(execution, follower, world.streamOutages)
      ? isLeftOf(pieces, stored)
      : pieces.join('') === stored;
    if (isRight) return [];
    return [
      {
        invariant: 'I13',
        subject: follower.executionId,
        detail: `streamed "${pieces.join('')}", stored "${stored}"`,
      },
    ];
  });
}

/** True if the run was over before the execution: only where the backlog never drained, which I22 reports. */
function leftBeforeTheEnd({ endedAt }: FollowerRecord, { finishedAt }: ExecutionRow): boolean {
  return finishedAt !== null && endedAt < finishedAt;
}

function lastRound(events: readonly StreamedEvent[]): readonly string[] {
  const texts = new Map<number, string[]>();
  for (const event of events) {
    if (event.round === null) continue;
    if (event.event === 'attempt_restarted') {
      for (const round of [...texts.keys()]) if (round >= event.round) texts.delete(round);
    } else if (event.event === 'text_delta') {
      texts.set(event.round, [...(texts.get(event.round) ?? []), event.text ?? '']);
    }
  }
  return texts.get(Math.max(0, ...texts.keys())) ?? [];
}

/** The event of a restarted attempt may be lost as well, after which the text begins anew. */
function isLeftOf(pieces: readonly string[], stored: string): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = stored.indexOf(piece, from);
    if (at < 0 && !stored.includes(piece)) return false;
    from = at < 0 ? 0 : at + piece.length;
  }
  return true;
}

function mayLackText(
  { startedAt, finishedAt }: ExecutionRow,
  { connections }: FollowerRecord,
  outages: readonly TimeSpan[],
): boolean {
  const lastEvent = connections.flatMap(({ events }) => events).at(-1);
  const during = { from: startedAt ?? 0, to: Math.max(finishedAt ?? Infinity, lastEvent?.at ?? 0) };
  return outages.some((outage) => overlaps(outage, during));
}
