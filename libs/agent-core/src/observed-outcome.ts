import type { CallPosition, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { ROOT, type ScopePath } from './scopes/scope-path.js';

/** The outcome of a call, observed by a worker that has lost its lease and may not write the journal. */
export interface ObservedOutcome extends CallPosition {
  readonly scope: ScopePath;
  readonly outcome: Extract<ToolCallOutcome, { status: 'succeeded' | 'failed' }>;
}

/** Extracts the outcomes that a tool returned; refused calls and unknown outcomes were not observed. */
export function observedOutcomes(entries: readonly JournalEntry[]): ObservedOutcome[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'tool_call_settled') return [];
    const { scope = ROOT, round, position, outcome } = entry;
    return outcome.status === 'succeeded' || outcome.status === 'failed'
      ? [{ scope, round, position, outcome }]
      : [];
  });
}
