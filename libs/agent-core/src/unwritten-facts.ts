import type { CallPosition, JournalEntry } from './journal-entry.js';
import { isSkip } from './pipelines/step-skip.js';
import type { JournalBatch } from './ports/journal.js';
import type { RunStep } from './run-step.js';
import { callName, ROOT, type ScopePath } from './scopes/scope-path.js';

const NOTHING: JournalBatch = { entries: [], runSteps: [] };

/**
 * The facts still to be written for the next attempt after a write of this attempt failed. Calls to be marked started
 * have not begun, because they begin only after a committed intent. A read may have begun: it either has an outcome
 * here, or counts as never run.
 *
 * @param failed the batch that failed, plus the facts that parallel scopes noted since
 * @param landed the facts found in the journal at and after the position of the failed batch: none, or those of the
 * batch
 */
export function unwrittenFacts(failed: JournalBatch, landed: readonly JournalEntry[]): JournalBatch {
  const missing = without(failed.entries, landed);
  const ended = new Set(missing.filter(isAfterIntent).map(nameOf));
  const intents = new Set(missing.filter(isIntent).map(nameOf));
  const left = missing.filter((entry) =>
    isIntent(entry) ? ended.has(nameOf(entry)) : !intents.has(openerOf(entry)) && !isEnding(entry),
  );
  const entries = [...left, ...withdrawIntents(landed, left)];
  if (entries.length === 0) return NOTHING;
  const touched = new Set(left.filter(isOfCall).map(nameOf));
  const skipped = new Set(left.filter(isSkip).map(({ scope = ROOT, step }) => `${scope} ${step}`));
  const runSteps = failed.runSteps.filter(
    (row) =>
      touched.has(nameOf(row)) || (row.status === 'skipped' && skipped.has(`${row.scope} ${row.callId}`)),
  );
  return { entries, runSteps: lastOfEach(runSteps) };
}

/**
 * Keeps the last row of each call: a call that began and ended in two batches has two, but one statement writes one.
 */
function lastOfEach(rows: readonly RunStep[]): readonly RunStep[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}

/**
 * Removes the facts that have landed, perhaps by an earlier try that omitted some. Facts are matched by kind, scope,
 * round and position.
 */
function without(entries: readonly JournalEntry[], landed: readonly JournalEntry[]): JournalEntry[] {
  const counts = new Map<string, number>();
  for (const key of landed.map(aboutOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return entries.filter((entry) => {
    const count = counts.get(aboutOf(entry)) ?? 0;
    counts.set(aboutOf(entry), count - 1);
    return count <= 0;
  });
}

function aboutOf(entry: JournalEntry): string {
  const round = 'round' in entry ? entry.round : '';
  return [entry.kind, entry.scope ?? ROOT, round, isOfCall(entry) ? entry.position : ''].join(' ');
}

/** Facts that withdraw landed intents of calls that never began. */
function withdrawIntents(landed: readonly JournalEntry[], left: readonly JournalEntry[]): JournalEntry[] {
  const known = new Set([...landed, ...left].filter(isAfterIntent).map(nameOf));
  const opened = new Set(landed.map(openerOf));
  return landed
    .filter(isIntent)
    .filter((call) => !known.has(nameOf(call)) && !opened.has(nameOf(call)))
    .map(({ kind: _kind, ...call }) => ({ kind: 'tool_call_not_begun', ...call }) as const);
}

type OfCall = Extract<JournalEntry, { readonly position: number }>;
type Intent = Extract<JournalEntry, { kind: 'tool_call_started' }>;

function isOfCall(entry: JournalEntry): entry is OfCall {
  return 'position' in entry;
}

function isIntent(entry: JournalEntry): entry is Intent {
  return entry.kind === 'tool_call_started';
}

function isAfterIntent(entry: JournalEntry): entry is OfCall {
  return isOfCall(entry) && (entry.kind === 'tool_call_not_begun' || isOutcome(entry));
}

function isOutcome({ kind }: JournalEntry): boolean {
  return kind === 'tool_call_settled' || kind === 'tool_call_lost';
}

function isEnding({ kind }: JournalEntry): boolean {
  return kind === 'execution_settled';
}

/** The call that opened the scope; `''` for any other fact. A call that did not begin has opened no scope. */
function openerOf({ kind, scope = ROOT }: JournalEntry): string {
  if (kind !== 'scope_opened') return '';
  const end = scope.lastIndexOf('/');
  return end < 0 ? scope : `${scope.slice(0, end)}:${scope.slice(end + 1)}`;
}

function nameOf({ scope = ROOT, ...call }: CallPosition & { readonly scope?: ScopePath }): string {
  return callName(scope, call);
}
