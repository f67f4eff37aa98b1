import { assertNever, isJsonObject, type JsonObject } from '#libs/kernel';
import type { AnswerFault } from './fault-schema.js';

export type HostileArguments = Extract<AnswerFault, { kind: 'arguments' }>['value'];

const ONE_MEGABYTE = 1024 * 1024;
const DEPTH = 10_000;
const POLLUTING = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';

/** Malformed or malicious arguments of a call; `valid` are the arguments that the model would have written. */
export function hostileArguments(value: HostileArguments, valid: string): string {
  switch (value) {
    case 'empty':
      return '';
    case 'array':
      return '[]';
    case 'null':
      return 'null';
    case 'invalid_json':
      return `${valid.slice(0, Math.max(valid.length - 1, 0))}, oops`;
    case 'one_megabyte':
      return withField(valid, 'x'.repeat(ONE_MEGABYTE));
    case 'deep':
      return `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;
    case 'nul':
      return withField(valid, 'a\u0000b');
    case 'lone_surrogate':
      return '{"query":"a\ud800b"}';
    case 'lone_surrogate_escaped':
      return String.raw`{"query":"a\ud800b"}`;
    case 'proto':
      return `{${[POLLUTING, JSON.stringify(fieldsOf(valid)).slice(1, -1)].filter((part) => part !== '').join(',')}}`;
    default:
      return assertNever(value);
  }
}

/** Sets the first text field of valid arguments to `text`; without one, adds a field. */
function withField(valid: string, text: string): string {
  const known = fieldsOf(valid);
  const name = Object.entries(known).find(([, field]) => typeof field === 'string')?.[0] ?? 'query';
  return JSON.stringify({ ...known, [name]: text });
}

/** A script may contain any text as arguments. */
function fieldsOf(argumentsText: string): JsonObject {
  try {
    const fields: unknown = JSON.parse(argumentsText);
    return isJsonObject(fields) ? fields : {};
  } catch {
    return {};
  }
}
