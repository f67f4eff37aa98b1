import { stripThinkBlocks } from '../display/think-blocks.js';
import type { RoundState } from '../scope-state.js';

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
export const NO_ANSWER_FAULT = 'the answer is empty';

/** The user message that asks the model to answer again. */
export const EMPTY_ANSWER_REQUEST =
  'Your last answer was empty. Answer now, with the text that the user shall read.';
