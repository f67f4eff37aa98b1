import { callName, childPath, ROOT, type ExecutionState, type JournalEntry } from '#libs/agent-core';
import { isDeepStrictEqual } from 'node:util';
import type { InterleavedRun } from './interleaved-run.js';
import { EFFECTS } from './tool-ledger.js';

/** The function by which the loop derives state from its journal. */
type FoldEntries = (entries: readonly JournalEntry[], from?: ExecutionState) => ExecutionState;

/** The broken promises of this run, a sentence each. */
export function findViolations(run: InterleavedRun, foldEntries: FoldEntries): string[] {
  return [
    ...violationsOfEnd(run),
    ...violationsOfEffects(run),
    ...violationsOfFence(run),
    ...violationsOfCalls(run),
    ...violationsOfScopes(run),
    ...violationsOfSettlement(run, foldEntries),
    ...violationsOfCancel(run),
    ...run.surprises.map((error) => `an attempt broke off: ${String(error)}`),
  ];
}

const entriesOf = (run: InterleavedRun): JournalEntry[] => run.execution.facts.map((fact) => fact.entry);

function* violationsOfEnd({ execution }: InterleavedRun): Generator<string> {
  const endings = execution.settlements.length + execution.cancelledUnstarted;
  if (endings !== 1) yield `it was settled ${endings} times`;
  if (execution.status !== 'settled') yield `it ended as ${execution.status}`;
}

function* violationsOfEffects({ effects }: InterleavedRun): Generator<string> {
  for (const [key, ofKey] of Map.groupBy(effects, (effect) => effect.key)) {
    if (ofKey.filter(({ toolName }) => EFFECTS[toolName] === 'unsafe').length > 1)
      yield `the unsafe call ${key} took effect twice`;
    // A `read` call may begin before its request is durable, and be requested anew as another call.
    const lasting = ofKey.filter(({ toolName }) => EFFECTS[toolName] !== 'read');
    for (const { toolName, input } of lasting)
      if (toolName !== lasting[0]?.toolName || !isDeepStrictEqual(input, lasting[0].input))
        yield `the key ${key} stands for two calls`;
    if (lasting.some((effect) => !effect.wasAnnounced))
      yield `the call ${key} began before the journal said so`;
  }
}

/** After another worker has written, no entry comes from an earlier one. */
function* violationsOfFence({ execution }: InterleavedRun): Generator<string> {
  let latest = 0;
  for (const { epoch, entry } of execution.facts) {
    if (epoch < latest) yield `${entry.kind} was written under the epoch ${epoch} after ${latest}`;
    latest = Math.max(latest, epoch);
  }
}

function* violationsOfCalls(run: InterleavedRun): Generator<string> {
  const count = (kind: 'tool_call_started' | 'tool_call_settled'): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const entry of entriesOf(run)) {
      if (entry.kind !== kind) continue;
      const key = callName(entry.scope ?? ROOT, entry);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const settled = count('tool_call_settled');
  for (const key of count('tool_call_started').keys())
    if (!settled.has(key)) yield `the call ${key} was started and never settled`;
  for (const [key, times] of settled) if (times > 1) yield `the call ${key} was settled ${times} times`;
  for (const [key, step] of run.execution.steps)
    if (step.status === 'started') yield `the audit of the call ${key} never ends`;
}

/** A loop inside is opened once and settles once, before the call that opened it, and no fact of the loop follows. */
function* violationsOfScopes(run: InterleavedRun): Generator<string> {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const entry of entriesOf(run)) {
    const scope = entry.scope ?? ROOT;
    if (scope !== ROOT && ended.has(scope)) yield `${entry.kind} was written in ${scope} after its end`;
    if (entry.kind === 'scope_opened') {
      if (open.has(scope)) yield `the scope ${scope} was opened twice`;
      open.add(scope);
    } else if (scope !== ROOT && !open.has(scope))
      yield `${entry.kind} was written in ${scope} before it was opened`;
    if (entry.kind === 'scope_settled') ended.add(scope);
    if (entry.kind !== 'tool_call_settled') continue;
    const inside = childPath(scope, entry);
    if (open.has(inside) && !ended.has(inside)) yield `the call of ${inside} ended before its scope`;
  }
  for (const scope of open) if (!ended.has(scope)) yield `the scope ${scope} never ends`;
}

function* violationsOfSettlement(run: InterleavedRun, foldEntries: FoldEntries): Generator<string> {
  const entries = entriesOf(run);
  const state = foldEntries(entries);
  const stepByStep = entries.reduce((folded, entry) => foldEntries([entry], folded), foldEntries([]));
  if (!isDeepStrictEqual(state, stepByStep)) yield 'the state depends on how the journal is read';
  const ends = entries.filter((entry) => entry.kind === 'execution_settled');
  if (ends.length !== 1 || entries.at(-1) !== ends[0]) yield 'the last fact is not the one settlement';

  const [settlement] = run.execution.settlements;
  if (!settlement) return;
  if (settlement.status !== state.outcome?.status)
    yield `settled as ${settlement.status}, but the journal says ${state.outcome?.status}`;
  const known = settlement.usage.filter((usage) => usage.state === 'known');
  const charged = known.map(({ scope, round }) => `${scope}:${round}`);
  const rounds = [[ROOT, state] as const, ...state.children].flatMap(([path, scope]) =>
    scope.rounds.map(({ number }) => `${path}:${number}`),
  );
  if (!isDeepStrictEqual(charged, rounds)) yield 'a round is charged twice or not at all';
  if (settlement.usage.length < run.modelCalls) yield 'a model call has no usage row';
  const tries = settlement.usage.map((usage) => `${usage.scope}:${usage.round}.${usage.tryNumber}`);
  if (new Set(tries).size !== tries.length) yield 'two model calls are one row';
  const succeeded = succeededCalls(state);
  const staged = settlement.staged.map((change) => (change.data as { key: string }).key);
  const isVisible = settlement.status === 'completed' || settlement.status === 'incomplete';
  if (!isDeepStrictEqual(staged, isVisible ? succeeded : [])) yield 'a staged change is lost or doubled';
}

/** In order, with the calls of a scope in the place of the call that opened it. */
function succeededCalls(state: ExecutionState, path = ROOT): string[] {
  const scope = path === ROOT ? state : state.children.get(path);
  const calls = scope?.rounds.flatMap((round) => round.calls) ?? [];
  return calls.flatMap((call) => {
    if (call.outcome?.status !== 'succeeded') return [];
    const inside = childPath(path, call);
    return state.children.has(inside) ? succeededCalls(state, inside) : [callName(path, call)];
  });
}

/**
 * A worker that claims a cancelled execution ends it and begins nothing. A forgotten claim is exempt: it is older than the
 * cancellation, although a later claim has the same epoch.
 */
function* violationsOfCancel({ execution, effects }: InterleavedRun): Generator<string> {
  const [afterCancel] = execution.epochsAfterCancel;
  if (afterCancel === undefined) return;
  const [settlement] = execution.settlements;
  if (settlement?.status !== 'cancelled' && settlement?.error?.code !== 'POISONED')
    yield `claimed after it was cancelled, and settled as ${settlement?.status ?? 'nothing'}`;
  const known = effects.filter(({ token }) => !execution.forgotten.includes(token));
  if (known.some((effect) => effect.epoch >= afterCancel)) yield 'a call began after the cancellation';
}
