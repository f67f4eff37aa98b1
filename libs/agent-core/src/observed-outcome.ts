import type { CallPosition, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { ROOT, type ScopePath } from './scopes/scope-path.js';

/** How a call ended, as somebody saw it who may not write the journal any more. */
export interface ObservedOutcome extends CallPosition {
  readonly scope: ScopePath;
  readonly outcome: Extract<ToolCallOutcome, { status: 'succeeded' | 'failed' }>;
}

/** The outcomes among these facts that a tool gave; what was refused, or is not known, nobody has seen. */
export function observedOutcomes(entries: readonly JournalEntry[]): ObservedOutcome[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'tool_call_settled') return [];
    const { scope = ROOT, round, position, outcome } = entry;
    return outcome.status === 'succeeded' || outcome.status === 'failed'
      ? [{ scope, round, position, outcome }]
      : [];
  });
}
