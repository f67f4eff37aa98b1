import type { Clock } from '#libs/kernel';
import type { RunnableCall } from '../decide-next-action.js';
import type { CallTiming, JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';
import { childPath, type ScopePath } from '../scopes/scope-path.js';
import type { LoopSignals } from '../stop-reason.js';
import type { LoopPorts } from './loop-ports.js';

type Entries = readonly JournalEntry[];

/** The scope that makes the calls, and how its facts are written. */
export interface CallingScope {
  readonly path: ScopePath;
  /** Whether calls that only read begin before it is durable that they do. */
  readonly mayRunAhead: boolean;
  readonly rules: Pick<LoopRules, 'maxParallelToolCalls'>;
  readonly ports: Pick<LoopPorts, 'tools' | 'reporter' | 'clock' | 'remainingMs'>;
  readonly signals: LoopSignals;
  /**
   * What is noted is folded at once, and durable with the next commit of anybody. A model is asked before what may lag is
   * durable.
   */
  note(entries: Entries, options?: { readonly mayLag: boolean }): void;
  commit(): Promise<void>;
  /** Begins to commit. Throws where an earlier commit has failed. */
  commitBehind(): void;
  /** Runs a call that is a loop of its own; false where it has not ended: it is parked, or asked to stop. */
  runInside(call: RunnableCall, opens: NonNullable<RunnableCall['opens']>): Promise<boolean>;
  /** Nothing more begins, here and in every other scope. */
  breakOff(error: unknown): void;
}

/**
 * Runs calls of one round: some that may be repeated, or one that may not. That a call begins is committed before it
 * does, unless it only reads and its execution is no suspect: then nobody waits for that. How it ended is noted at
 * once, and for a call that may be repeated nobody waits for that either.
 *
 * Calls that may be repeated are marked started together and run side by side; an `unsafe` one is marked right before
 * it runs, alone, so that a crash leaves at most one outcome unknown. After `drain` no call begins: the rest is for the
 * next attempt. What was marked and did not begin is reported, too: nobody else could know it.
 */
export async function runTools(calls: readonly RunnableCall[], scope: CallingScope): Promise<void> {
  const fresh = calls.filter((call) => !call.started);
  if (fresh.length > 0) {
    scope.note(fresh.flatMap((call) => started(call, scope)));
    if (scope.mayRunAhead && fresh.every(onlyReads)) scope.commitBehind();
    else await scope.commit();
  }
  const left = [...calls];
  // Somebody may have asked it to stop while that was written, which can take as long as the database is away.
  await settleSideBySide(left, scope);
  scope.note(left.filter((call) => !call.started).flatMap(notBegun));
}

/**
 * Whoever comes after a lost attempt may find neither that it began nor that it was asked for, and nothing is wrong. A call
 * that takes effect under a key is different: the key must never stand for another call, so its request is durable first.
 */
function onlyReads({ effect, opens }: RunnableCall): boolean {
  return effect === 'read' && opens === undefined;
}

/** Takes out of `queue` what begins; what is left there when it is asked to stop did not. */
async function settleSideBySide(queue: RunnableCall[], scope: CallingScope): Promise<void> {
  const lane = async (): Promise<void> => {
    while (mayBegin(queue[0], scope.signals)) {
      const call = queue.shift();
      if (!call) return;
      await settle(call, scope);
    }
  };
  const guarded = async (): Promise<void> => {
    try {
      await lane();
    } catch (error) {
      // The others come to their boundaries first: whoever goes on after this attempt must not meet them.
      scope.breakOff(error);
      throw error;
    }
  };
  const lanes = Array.from({ length: Math.max(1, scope.rules.maxParallelToolCalls) }, guarded);
  const ends = await Promise.allSettled(lanes);
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
}

/** A scope that is open when the execution is over is run to its end, and begins nothing. */
function mayBegin(call: RunnableCall | undefined, { abort, drain }: LoopSignals): boolean {
  return !drain.aborted && (!abort.aborted || (call?.opens !== undefined && call.started));
}

/** Answers whether the call has ended. */
async function settle(call: RunnableCall, scope: CallingScope): Promise<boolean> {
  if (call.opens !== undefined) return scope.runInside(call, call.opens);
  const { round, position, callId, toolName, input } = call;
  const { ports, path, signals } = scope;
  ports.reporter.callBegins(call);
  const timing = stopwatch(ports.clock);
  const invocation = { scope: path, round, position, callId, toolName, input };
  const answer = await ports.tools.invoke(invocation, signals.abort);
  if (answer === null) return false;
  if (answer.outcome === null) {
    scope.note([{ kind: 'tool_call_lost', round, position, error: answer.error, ...timing() }]);
    return false;
  }
  const times = timing();
  ports.reporter.callEnds(call, answer.outcome, answer.files);
  const mayLag = isRepeatable(call) && (call.outcomeMayLag || !call.started);
  scope.note([{ kind: 'tool_call_settled', round, position, outcome: answer.outcome, ...times }], { mayLag });
  return true;
}

/** What the audit says of the call's time is measured around the call, not at the commit that may come much later. */
export function stopwatch(clock: Clock): () => CallTiming {
  const [startedAt, begun] = [Math.round(clock.now()), clock.monotonic()];
  return () => ({ startedAt, durationMs: Math.max(0, Math.round(clock.monotonic() - begun)) });
}

/** A call that is a loop of its own goes on from its facts instead. */
function isRepeatable({ effect, opens }: RunnableCall): boolean {
  return effect !== 'unsafe' && opens === undefined;
}

/** A scope that was opened goes on from its facts, of which there may be none. */
function notBegun(call: RunnableCall): JournalEntry[] {
  if (call.opens !== undefined) return [];
  return [{ kind: 'tool_call_not_begun', round: call.round, position: call.position }];
}

function started(call: RunnableCall, { path, ports }: CallingScope): JournalEntry[] {
  const { round, position, opens } = call;
  const repeatable = isRepeatable(call) ? { repeatable: true as const } : {};
  const intent = { kind: 'tool_call_started', round, position, ...repeatable } as const;
  if (opens === undefined) return [intent];
  const { agentId, name, input } = opens;
  const remainingMs = Math.round(ports.remainingMs());
  return [intent, { kind: 'scope_opened', scope: childPath(path, call), agentId, name, input, remainingMs }];
}
