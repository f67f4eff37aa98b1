import { invalidRequest } from '../../http/api-error.js';
import { answersAfter, lastUserTurn } from '../../responses/conversation.js';
import type { ResponsesRequest } from '../../responses/responses-request.js';
import { findScriptBlock } from './script-block.js';
import type { ScriptBook } from './script-book.js';
import type { PostedScript, ScriptBlock, ScriptedAnswer } from './script-schema.js';

/** A script's answer to a request, with the scopes of its fault counters. */
export interface ChosenAnswer {
  readonly answer: ScriptedAnswer;
  readonly script: Pick<ScriptBlock, 'faults'>;
  readonly scope: string;
  /** Index of the answer, from 0. */
  readonly number: number;
}

/**
 * Chooses from the script in the conversation, else from a posted one. Throws a 400 without a script, or when it is used up.
 */
export function chooseAnswer(request: ResponsesRequest, key: string | null, book: ScriptBook): ChosenAnswer {
  const found = findScriptBlock(request.items);
  if (found !== null) return pick(found.script, found.answersGiven, `block:${found.scope}`);
  const turn = lastUserTurn(request.items);
  const posted = book.find(key, turn?.text ?? '');
  if (posted === null) throw noScript();
  return pick(posted, numberOf(posted, request, book), `script:${posted.key ?? ''}:${posted.contains ?? ''}`);
}

function numberOf(script: PostedScript, request: ResponsesRequest, book: ScriptBook): number {
  return script.order === 'call'
    ? book.take(script)
    : answersAfter(request.items, lastUserTurn(request.items)?.index ?? -1);
}

function pick(script: Omit<ScriptBlock, 'key'>, number: number, scope: string): ChosenAnswer {
  const answer =
    script.answers[number] ?? (script.then === 'repeat_last' ? script.answers.at(-1) : undefined);
  if (answer !== undefined) return { answer, script, scope, number };
  throw invalidRequest(
    `sim-script: the script has ${script.answers.length} answer(s), but answer ${number + 1} was asked for.`,
    'input',
    'script_exhausted',
  );
}

function noScript() {
  return invalidRequest(
    'sim-script: no script. Put a fenced ```sim-script block with {"answers": [...]} into the user message, or post ' +
      'one to /__control/scripts.',
    'input',
    'script_missing',
  );
}
