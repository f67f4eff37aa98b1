import { isJsonObject, type JsonObject } from '#libs/kernel';
import type { ToolCallOutcome } from '../journal-entry.js';
import { shorten } from './shorten.js';

/** Maximum characters that clients see of a tool's text for the model (3.I-17). */
const MAX_TEXT = 200;

/**
 * A call's outcome as events and logs show it (S2-20). A FunctionCallResult keeps its status and data, without the
 * `message` for the model; any other text is cut. The audit holds the full outcome.
 */
export function shownOutcome(outcome: ToolCallOutcome): ToolCallOutcome {
  const output = shownOutput(outcome.output);
  if (outcome.status !== 'refused' || outcome.original === undefined) return { ...outcome, output };
  return { ...outcome, output, original: shownOutput(outcome.original) };
}

/**
 * @param output text that the model reads
 * @param longest maximum characters of a text; a FunctionCallResult is never cut
 */
export function shownOutput(output: string, longest = MAX_TEXT): string {
  const answer = readFunctionCallResult(output);
  if (answer === null) return shorten(output, longest);
  const { message: _forTheModel, ...data } = answer.result;
  return JSON.stringify({ status: answer.status, result: data });
}

interface ReadResult {
  readonly status: 'success' | 'error';
  readonly result: JsonObject;
}

/** Null for plain text, other JSON, and truncated JSON. */
function readFunctionCallResult(output: string): ReadResult | null {
  if (!output.startsWith('{')) return null;
  const parsed = parseJson(output);
  if (!isJsonObject(parsed) || Object.keys(parsed).length !== 2) return null;
  const { status, result } = parsed;
  if (!isJsonObject(result) || (status !== 'success' && status !== 'error')) return null;
  return { status, result };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
