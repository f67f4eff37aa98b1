import { canonicalJson, isJsonObject, toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import { errorResult } from '#libs/tooling';
import type { ToolCallOutcome } from './journal-entry.js';

/**
 * The output of a call for the audit (S2-32): a `FunctionCallResult` with the text that the model read. A text that is
 * separate from the tool's result becomes `text` of the result. A JSON text is kept as JSON, unless a number in it
 * would lose digits.
 */
export function auditedOutput(outcome: ToolCallOutcome): JsonValue {
  const { output } = outcome;
  if (outcome.status !== 'succeeded') return toStorableJson(asErrorResult(output));
  const { result } = outcome;
  if (output === JSON.stringify(result)) return result;
  const given: JsonObject = isJsonObject(result) ? result : { status: 'success' };
  const inner = isJsonObject(given['result']) ? given['result'] : {};
  const text = asJson(output);
  if (isSame(inner, text)) return given;
  const entries = Object.entries(inner).map(
    ([key, value]) => [key, value === output ? text : value] as const,
  );
  const isThere = entries.some(([, value]) => isSame(value, text));
  return { ...given, result: Object.fromEntries(isThere ? entries : [...entries, ['text', text] as const]) };
}

function asErrorResult(output: string): unknown {
  const parsed = parseContainer(output);
  const isResult = isJsonObject(parsed) && parsed['status'] === 'error' && isJsonObject(parsed['result']);
  return isResult ? parsed : errorResult(output);
}

/** `describeOutputs` writes this around JSON (3.D-11). */
const WRAPPED = /^tool response: (?<json>[\s\S]*)\.$/;

function asJson(text: string): JsonValue {
  return parseContainer(text) ?? parseContainer(WRAPPED.exec(text)?.groups?.['json'] ?? '') ?? text;
}

/** Parses objects and lists; null for anything else, since the text of a number or word stays a text. */
function parseContainer(text: string): JsonObject | readonly JsonValue[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return toStorableJson(JSON.parse(text, exactly)) as JsonObject | readonly JsonValue[];
  } catch {
    return null;
  }
}

/** Decimal digits that every double represents exactly. */
const EXACT_DIGITS = 15;

function exactly(_key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  if (typeof value === 'number' && source.length > EXACT_DIGITS && String(value) !== source)
    throw new RangeError('the number would lose digits');
  return value;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b));
}
