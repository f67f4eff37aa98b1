import type { CallPosition, JournalEntry } from './journal-entry.js';
import type { JournalBatch } from './ports/journal.js';

const NOTHING: JournalBatch = { entries: [], runSteps: [] };

/**
 * What is left to write for the next attempt when a write of this one failed, and with it the attempt. Calls that it was
 * to mark started have not begun: they begin only after that is known to be committed.
 *
 * @param landed the facts that are there in the place of the failed batch and after it; none, or those of the batch
 */
export function unwrittenFacts(failed: JournalBatch, landed: readonly JournalEntry[]): JournalBatch {
  if (landed.length > 0) return withdrawIntents(landed);
  const intents = new Set(failed.entries.filter(isIntent).map(nameOf));
  const entries = failed.entries.filter((entry) => !isIntent(entry) && entry.kind !== 'execution_settled');
  const runSteps = failed.runSteps.filter((step) => !intents.has(nameOf(step)));
  return entries.length === 0 ? NOTHING : { entries, runSteps };
}

function withdrawIntents(landed: readonly JournalEntry[]): JournalBatch {
  const withdrawn = new Set(landed.filter((entry) => entry.kind === 'tool_call_not_begun').map(nameOf));
  const entries = landed
    .filter(isIntent)
    .filter((call) => !withdrawn.has(nameOf(call)))
    .map(({ round, position }) => ({ kind: 'tool_call_not_begun', round, position }) as const);
  return entries.length === 0 ? NOTHING : { entries, runSteps: [] };
}

type Intent = Extract<JournalEntry, { kind: 'tool_call_started' }>;

function isIntent(entry: JournalEntry): entry is Intent {
  return entry.kind === 'tool_call_started';
}

function nameOf({ round, position }: CallPosition): string {
  return `${round}.${position}`;
}
