import { readBareJson } from '../answers/read-json-answer.js';
import type { JournalEntry } from '../journal-entry.js';
import type { LoopRules } from '../loop-rules.js';

/**
 * What a loop inside an execution leaves to whoever called it: its answer as far as that may be seen. The journal keeps the
 * whole of it with its round. JSON that its caller reads stays as it is.
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
