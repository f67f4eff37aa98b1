import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { ToolCallOutcome } from '../journal-entry.js';

/** Maximum characters that clients see of a tool's text for the model (3.I-17). */
const MAX_OUTPUT_TEXT = 200;

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
export function shownOutput(output: string, longest = MAX_OUTPUT_TEXT): string {
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

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** Truncates a text to `most` UTF-16 code units and appends `...`, without splitting a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(HIGH_SURROGATE, '')}...`;
}

/** Maximum characters that clients see of each string in a call's input (3.I-17). */
const MAX_INPUT_TEXT = 500;

/**
 * A call's input as events and the message log show it: same shape, with long strings cut. The audit and approval
 * requests hold the full input.
 */
export function shownInput(input: unknown): JsonValue {
  if (typeof input === 'string') return shorten(input, MAX_INPUT_TEXT);
  if (Array.isArray(input)) return input.map(shownInput);
  if (isJsonObject(input))
    return Object.fromEntries(Object.entries(input).map(([key, inner]) => [key, shownInput(inner)]));
  return typeof input === 'number' || typeof input === 'boolean' ? input : null;
}
