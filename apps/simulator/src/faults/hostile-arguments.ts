import { assertNever, isJsonObject, type JsonObject } from '#libs/kernel';
import type { AnswerFault } from './fault-schema.js';

export type HostileArguments = Extract<AnswerFault, { kind: 'arguments' }>['value'];

const ONE_MEGABYTE = 1024 * 1024;
const DEPTH = 10_000;
const POLLUTING = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';

/** Arguments that a model may write although nobody asked for them. `valid` is what it would have written. */
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

/** Puts `text` into the first text field of valid arguments, or into a field of its own. */
function withField(valid: string, text: string): string {
  const known = fieldsOf(valid);
  const name = Object.entries(known).find(([, field]) => typeof field === 'string')?.[0] ?? 'query';
  return JSON.stringify({ ...known, [name]: text });
}

/** A script may have written anything. */
function fieldsOf(argumentsText: string): JsonObject {
  try {
    const fields: unknown = JSON.parse(argumentsText);
    return isJsonObject(fields) ? fields : {};
  } catch {
    return {};
  }
}
