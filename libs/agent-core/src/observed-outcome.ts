import type { CallPosition, JournalEntry, ToolCallOutcome } from './journal-entry.js';

/** How a call ended, as somebody saw it who may not write the journal any more. */
export interface ObservedOutcome extends CallPosition {
  readonly outcome: Extract<ToolCallOutcome, { status: 'succeeded' | 'failed' }>;
}

/** The outcomes among these facts that a tool gave; what was refused, or is not known, nobody has seen. */
export function observedOutcomes(entries: readonly JournalEntry[]): ObservedOutcome[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'tool_call_settled') return [];
    const { round, position, outcome } = entry;
    return outcome.status === 'succeeded' || outcome.status === 'failed'
      ? [{ round, position, outcome }]
      : [];
  });
}
