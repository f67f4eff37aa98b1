import type { Clock } from '#libs/kernel';
import type { RunnableCall } from '../decide-next-action.js';
import type { CallTiming, JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';
import { childPath, type ScopePath } from '../scopes/scope-path.js';
import type { LoopSignals } from '../stop-reason.js';
import type { LoopPorts } from './loop-ports.js';

type Entries = readonly JournalEntry[];

/** The scope that makes the calls, and its access to the journal. */
export interface CallingScope {
  readonly path: ScopePath;
  /** Whether read-only calls may begin before their intent is durable. */
  readonly mayRunAhead: boolean;
  readonly rules: Pick<LoopRules, 'maxParallelToolCalls'>;
  readonly ports: Pick<LoopPorts, 'tools' | 'reporter' | 'clock' | 'remainingMs'>;
  readonly signals: LoopSignals;
  /**
   * Folds facts at once and makes them durable with the next commit of any scope. Facts that may lag do not delay the
   * next model call.
   */
  note(entries: Entries, options?: { readonly mayLag: boolean }): void;
  commit(): Promise<void>;
  /** Starts a commit without waiting for it. Throws if an earlier commit has failed. */
  commitBehind(): void;
  /** Runs a call as a scope of its own; false if the scope has not ended because it is parked or was stopped. */
  runInside(call: RunnableCall, opens: NonNullable<RunnableCall['opens']>): Promise<boolean>;
  /** Stops this scope and all others from starting calls. */
  abortAll(error: unknown): void;
}

/**
 * Runs calls of one round: several repeatable ones, or one unsafe call. The intent of a call is committed before the
 * call begins, unless the call only reads and the execution is no suspect: then it does not wait for the commit. The
 * outcome is noted at once; the outcome of a repeatable call may become durable later.
 *
 * Repeatable calls are marked started together and run in parallel. An `unsafe` call is marked right before it runs,
 * alone, so that a crash leaves at most one outcome unknown. After `drain` no call begins: the next attempt runs the
 * rest. Calls that were marked and did not begin are recorded as not begun, since only this worker knows it.
 */
export async function runTools(calls: readonly RunnableCall[], scope: CallingScope): Promise<void> {
  const fresh = calls.filter((call) => !call.started);
  if (fresh.length > 0) {
    scope.note(fresh.flatMap((call) => started(call, scope)));
    if (scope.mayRunAhead && fresh.every(onlyReads)) scope.commitBehind();
    else await scope.commit();
  }
  const left = [...calls];
  // A stop may have been requested during the commit, which takes as long as the database is unavailable.
  await settleSideBySide(left, scope);
  scope.note(left.filter((call) => !call.started).flatMap(notBegun));
}

/**
 * Whether the call may begin before its intent is durable. If a read is lost with its attempt, nothing else is. An
 * idempotent call needs a durable request first: its key must never stand for another call.
 */
function onlyReads({ effect, opens }: RunnableCall): boolean {
  return effect === 'read' && opens === undefined;
}

/** Removes each call from `queue` as it begins; calls that a stop prevents stay in it. */
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
      // The other lanes finish their current call first, so that the next attempt does not run beside them.
      scope.abortAll(error);
      throw error;
    }
  };
  const count = Math.min(queue.length, Math.max(1, scope.rules.maxParallelToolCalls));
  const lanes = Array.from({ length: count }, guarded);
  const ends = await Promise.allSettled(lanes);
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
}

/** An open scope runs to its end even after abort; it starts no new calls by itself. */
function mayBegin(call: RunnableCall | undefined, { abort, drain }: LoopSignals): boolean {
  return !drain.aborted && (!abort.aborted || (call?.opens !== undefined && call.started));
}

/** Returns whether the call has ended. */
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

/** Measures a call's duration around the call itself, since the commit may come much later. */
export function stopwatch(clock: Clock): () => CallTiming {
  const [startedAt, begun] = [Math.round(clock.now()), clock.monotonic()];
  return () => ({ startedAt, durationMs: Math.max(0, Math.round(clock.monotonic() - begun)) });
}

/** A call that opened a scope is not repeated: the scope resumes from its facts. */
function isRepeatable({ effect, opens }: RunnableCall): boolean {
  return effect !== 'unsafe' && opens === undefined;
}

/** An opened scope resumes from its facts, even if there are none yet. */
function notBegun(call: RunnableCall): JournalEntry[] {
  if (call.opens !== undefined) return [];
  return [{ kind: 'tool_call_not_begun', round: call.round, position: call.position }];
}

function started(call: RunnableCall, { path, ports }: CallingScope): JournalEntry[] {
  const { round, position, effect, opens } = call;
  const repeatable = isRepeatable(call) ? { repeatable: true as const } : {};
  const intent = { kind: 'tool_call_started', round, position, ...repeatable, effect } as const;
  if (opens === undefined) return [intent];
  const { agentId, name, input } = opens;
  const remainingMs = Math.round(ports.remainingMs());
  return [intent, { kind: 'scope_opened', scope: childPath(path, call), agentId, name, input, remainingMs }];
}
