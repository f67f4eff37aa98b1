import { readBareJson } from '../answers/validate-answer.js';
import type { JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';

/**
 * Reduces the outcome of an inner scope to the part that its caller may see; the journal keeps the full answer with its
 * round. JSON that the caller reads stays unchanged.
 */
export function answerForCaller(
  entry: JournalEntry,
  { answer, visibleText }: Pick<LoopRules, 'answer' | 'visibleText'>,
): JournalEntry {
  if (entry.kind !== 'execution_settled' || !('text' in entry.outcome)) return entry;
  const { text } = entry.outcome;
  if (answer !== undefined && readBareJson(text).success) return entry;
  return { ...entry, outcome: { ...entry.outcome, text: visibleText(text) } };
}
