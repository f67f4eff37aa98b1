import type { JsonValue } from '#libs/kernel';
import { stripThinkBlocks } from '../display/think-blocks.js';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import { answered } from '../round-endings.js';
import type { RoundState, ScopeState } from '../scope-state.js';
import type { AnswerRules } from './answer-rules.js';

const NO_JSON = 'the answer is not JSON';
const MAX_FAULTS = 10;

/**
 * Decides whether an answer without tool calls ends the loop, or is rejected and requested again with its errors. Pure.
 * An answer that the provider cut off is never requested again: it would be cut off again. An empty one is, once.
 */
export function validateAnswer(
  round: RoundState,
  state: Pick<ScopeState, 'rounds'>,
  rules: AnswerRules | undefined,
): JournalEntry {
  const ended = answered(round);
  if (ended.status === 'completed' && isEmptyAnswer(round)) return validateEmpty(round, state);
  if (rules === undefined || ended.status !== 'completed')
    return { kind: 'execution_settled', outcome: ended };
  const faults = findFaults(round.answer.text, rules);
  const [fault] = faults;
  if (fault === undefined) return { kind: 'execution_settled', outcome: ended };
  const isRepaired = state.rounds.some(
    (earlier) => earlier.rejected !== undefined && !isEmptyAnswer(earlier),
  );
  if (!isRepaired)
    return { kind: 'answer_rejected', round: round.number, faults: faults.slice(0, MAX_FAULTS) };
  return { kind: 'execution_settled', outcome: unfit(fault) };
}

/**
 * An empty answer is no result: the model is called once more, and a second empty answer ends the loop as incomplete.
 */
function validateEmpty(round: RoundState, { rounds }: Pick<ScopeState, 'rounds'>): JournalEntry {
  const hasAskedAgain = rounds.some((earlier) => earlier.rejected !== undefined && isEmptyAnswer(earlier));
  if (!hasAskedAgain) return { kind: 'answer_rejected', round: round.number, faults: [NO_ANSWER_FAULT] };
  return {
    kind: 'execution_settled',
    outcome: { status: 'incomplete', reason: 'empty_answer', text: '' },
  };
}

/**
 * Validates the end of a pipeline. No model can repair the answer of a pipeline, so an invalid one fails the execution.
 */
export function validateEnd(entry: JournalEntry, rules: AnswerRules | undefined): JournalEntry {
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

/** The user message that asks the model to repair an invalid answer. */
export function repairRequest(faults: readonly string[]): string {
  const list = faults.map((fault) => `- ${fault}`).join('\n');
  return `Your answer does not fit the schema that it has to fit:\n${list}\n\nAnswer again, with the corrected JSON and nothing else.`;
}

/** White space and invisible characters, such as a byte order mark or a zero-width space. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** Whether an answer calls no tool and has no visible text: only reasoning, a think block, or blanks. */
export function isEmptyAnswer({
  calls,
  answer,
  step,
}: Pick<RoundState, 'calls' | 'answer' | 'step'>): boolean {
  return step === undefined && calls.length === 0 && !VISIBLE.test(stripThinkBlocks(answer.text));
}

/** The validation error of an empty answer. */
const NO_ANSWER_FAULT = 'the answer is empty';

/** The user message that asks the model to answer again. */
export const EMPTY_ANSWER_REQUEST =
  'Your last answer was empty. Answer now, with the text that the user shall read.';

export type JsonAnswer = { readonly success: true; readonly data: JsonValue } | { readonly success: false };

/** Models often wrap JSON in a Markdown code block. */
const BLOCK = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** Parses an answer as JSON, optionally in a Markdown code block and after think blocks (S0-25). */
export function readJsonAnswer(text: string): JsonAnswer {
  const read = readBareJson(text);
  return read.success ? read : readBareJson(stripThinkBlocks(text));
}

/** Parses an answer as JSON, optionally in a Markdown code block, with nothing before it. */
export function readBareJson(text: string): JsonAnswer {
  const trimmed = text.trim();
  try {
    return { success: true, data: JSON.parse(BLOCK.exec(trimmed)?.[1] ?? trimmed) as JsonValue };
  } catch {
    return { success: false };
  }
}
