import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import { answered } from '../round-endings.js';
import type { RoundState, ScopeState } from '../scope-state.js';
import type { AnswerRules } from './answer-rules.js';
import { isEmptyAnswer, NO_ANSWER_FAULT } from './empty-answer.js';
import { readJsonAnswer } from './read-json-answer.js';

const NO_JSON = 'the answer is not JSON';
const MOST_FAULTS = 10;

/**
 * What follows from an answer that asks for nothing: the end, or that the model is asked once more, with what is
 * wrong. Pure. An answer that its provider cut off is not asked for again: it would be cut off again. One that says nothing
 * is, once.
 */
export function judgeAnswer(
  round: RoundState,
  state: Pick<ScopeState, 'rounds'>,
  rules: AnswerRules | undefined,
): JournalEntry {
  const ended = answered(round);
  if (ended.status === 'completed' && isEmptyAnswer(round)) return judgeEmpty(round, state);
  if (rules === undefined || ended.status !== 'completed')
    return { kind: 'execution_settled', outcome: ended };
  const faults = findFaults(round.answer.text, rules);
  const [fault] = faults;
  if (fault === undefined) return { kind: 'execution_settled', outcome: ended };
  const isRepaired = state.rounds.some(
    (earlier) => earlier.rejected !== undefined && !isEmptyAnswer(earlier),
  );
  if (!isRepaired)
    return { kind: 'answer_rejected', round: round.number, faults: faults.slice(0, MOST_FAULTS) };
  return { kind: 'execution_settled', outcome: unfit(fault) };
}

/** A model that says nothing is asked once more: an empty answer is no result. */
function judgeEmpty(round: RoundState, { rounds }: Pick<ScopeState, 'rounds'>): JournalEntry {
  const hasAskedAgain = rounds.some((earlier) => earlier.rejected !== undefined && isEmptyAnswer(earlier));
  if (!hasAskedAgain) return { kind: 'answer_rejected', round: round.number, faults: [NO_ANSWER_FAULT] };
  return {
    kind: 'execution_settled',
    outcome: { status: 'incomplete', reason: 'empty_answer', text: '' },
  };
}

/** The same of a pipeline, of which nobody can ask anything once more. */
export function judgeEnd(entry: JournalEntry, rules: AnswerRules | undefined): JournalEntry {
  if (rules === undefined || entry.kind !== 'execution_settled' || entry.outcome.status !== 'completed')
    return entry;
  const [fault] = findFaults(entry.outcome.text, rules);
  return fault === undefined ? entry : { kind: 'execution_settled', outcome: unfit(fault) };
}

function findFaults(text: string, rules: AnswerRules): readonly string[] {
  const read = readJsonAnswer(text);
  return read.success ? rules.findFaults(read.data) : [NO_JSON];
}

function unfit(fault: string): ExecutionOutcome {
  const message = `the answer does not fit the output schema: ${fault}`;
  return { status: 'failed', error: { code: 'OUTPUT_INVALID', message } };
}

/** What the model reads of an answer that does not fit. */
export function repairRequest(faults: readonly string[]): string {
  const list = faults.map((fault) => `- ${fault}`).join('\n');
  return `Your answer does not fit the schema that it has to fit:\n${list}\n\nAnswer again, with the corrected JSON and nothing else.`;
}
