import type { Clock } from '#libs/kernel';
import type { RunnableCall } from '../decide-next-action.js';
import type { CallTiming, JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';
import type { LoopSignals } from '../stop-reason.js';
import type { LoopPorts } from './loop-ports.js';

type Entries = readonly JournalEntry[];

/**
 * Runs the calls of one round. A `yield` is a checkpoint: the generator goes on only after the loop has committed it.
 * What is returned became true and is committed before anything else begins.
 *
 * Calls that may be repeated are marked started together and run side by side; an `unsafe` one is marked right before
 * it runs, alone, so that a crash leaves at most one outcome unknown. After `drain` no call begins: the rest is for the next attempt.
 * What was marked and did not begin is told, too: nobody else could know it.
 */
export async function* runTools(
  calls: readonly RunnableCall[],
  rules: LoopRules,
  ports: LoopPorts,
  { abort, drain }: LoopSignals,
): AsyncGenerator<Entries, Entries> {
  const repeatable = calls.filter((call) => call.effect !== 'unsafe');
  const unsafe = calls.filter((call) => call.effect === 'unsafe');
  const fresh = repeatable.filter((call) => !call.started);
  if (fresh.length > 0) yield fresh.map(started);
  const left = [...repeatable];
  let settled = await settleSideBySide(left, rules.maxParallelToolCalls, ports, { abort, drain });
  settled.push(...left.filter((call) => !call.started).map(notBegun));

  for (const call of unsafe) {
    if (isToStop({ abort, drain })) break;
    yield [...settled, started(call)];
    // Somebody may have told it to stop while that was written, which can take as long as the database is away.
    if (isToStop({ abort, drain })) return [notBegun(call)];
    settled = await settle(call, ports, abort);
    // Nobody knows what became of it: what follows from that is decided before the next one begins.
    if (!settled.some((fact) => fact.kind === 'tool_call_settled')) break;
  }
  return settled;
}

/** Takes out of `queue` what begins; what is left there when it is told to stop did not. */
async function settleSideBySide(
  queue: RunnableCall[],
  width: number,
  ports: LoopPorts,
  { abort, drain }: LoopSignals,
): Promise<JournalEntry[]> {
  const settled: JournalEntry[] = [];
  const lane = async (): Promise<void> => {
    while (!isToStop({ abort, drain })) {
      const call = queue.shift();
      if (!call) return;
      settled.push(...(await settle(call, ports, abort)));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, lane));
  return settled;
}

async function settle(call: RunnableCall, ports: LoopPorts, signal: AbortSignal): Promise<JournalEntry[]> {
  const { round, position, callId, toolName, input } = call;
  ports.reporter.callBegins(call);
  const timing = stopwatch(ports.clock);
  const answer = await ports.tools.invoke({ round, position, callId, toolName, input }, signal);
  if (answer === null) return [];
  if (answer.outcome === null)
    return [{ kind: 'tool_call_lost', round, position, error: answer.error, ...timing() }];
  const times = timing();
  ports.reporter.callEnds(call, answer.outcome, answer.files);
  return [{ kind: 'tool_call_settled', round, position, outcome: answer.outcome, ...times }];
}

/** What the audit says of the call's time is measured around the call, not at the commit that may come much later. */
function stopwatch(clock: Clock): () => CallTiming {
  const [startedAt, begun] = [Math.round(clock.now()), clock.monotonic()];
  return () => ({ startedAt, durationMs: Math.max(0, Math.round(clock.monotonic() - begun)) });
}

function isToStop({ abort, drain }: LoopSignals): boolean {
  return abort.aborted || drain.aborted;
}

function notBegun(call: RunnableCall): JournalEntry {
  return { kind: 'tool_call_not_begun', round: call.round, position: call.position };
}

function started(call: RunnableCall): JournalEntry {
  return { kind: 'tool_call_started', round: call.round, position: call.position };
}
