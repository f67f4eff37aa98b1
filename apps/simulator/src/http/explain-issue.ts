import type { z } from 'zod';
import { invalidRequest, type ApiError } from './api-error.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * The first fault of a request in the format of OpenAI's API, e.g. `Missing required parameter: 'model'.` with code
 * `missing_required_parameter`. `data` is the parsed value, `prefix` its path in the request.
 */
export function explainIssue(error: z.ZodError, data: unknown, prefix: Path = []): ApiError {
  const issue = error.issues[0];
  return issue === undefined
    ? invalidRequest('The request is not valid.', null)
    : explain(issue, data, prefix);
}

function explain(issue: Issue, data: unknown, prefix: Path): ApiError {
  const path = [...prefix, ...issue.path];
  const param = showPath(path);
  const value = valueAt(data, issue.path);
  if (value === undefined && issue.code !== 'unrecognized_keys' && path.length > 0) {
    return invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
  }
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(param, aKindOf(issue.expected), value);
    case 'unrecognized_keys': {
      const unknown = showPath([...path, issue.keys[0] ?? '']);
      return invalidRequest(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
    }
    case 'invalid_value':
      return unsupportedValue(param, value, issue.values);
    case 'invalid_union':
      return explainUnion(issue, data, prefix);
    case 'too_small':
    case 'too_big':
      return outOfRange(issue, param, value);
    case 'invalid_format':
      return invalidRequest(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern ` +
          `'${issue.pattern ?? issue.format}'.`,
        param,
        'invalid_value',
      );
    default:
      return invalidRequest(`Invalid '${param}': ${issue.message}.`, param, 'invalid_value');
  }
}

function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  data: unknown,
  prefix: Path,
): ApiError {
  const path = [...prefix, ...issue.path];
  const value = valueAt(data, issue.path);
  if (issue.errors.length === 0) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
    return unsupportedValue(showPath(path), value, options);
  }
  const deeper = issue.errors.find((issues) => issues.some((inner) => !isWrongRoot(inner)));
  const first = deeper?.find((inner) => !isWrongRoot(inner));
  if (first !== undefined) return explain(first, value, path);
  const expected = issue.errors
    .flat()
    .map((inner) => ('expected' in inner ? aKindOf(inner.expected) : 'a value'));
  return wrongType(showPath(path), `one of ${[...new Set(expected)].join(' or ')}`, value);
}

/** An alternative of another root type explains nothing about the intended one. */
function isWrongRoot(issue: Issue): boolean {
  return issue.path.length === 0 && issue.code === 'invalid_type';
}

function wrongType(param: string, expected: string, value: unknown): ApiError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`;
  return invalidRequest(message, param, 'invalid_type');
}

function unsupportedValue(param: string, value: unknown, supported: readonly unknown[]): ApiError {
  const shown = typeof value === 'string' ? `'${value}'` : kindOf(value);
  const list = supported.map((option) => `'${String(option)}'`);
  const known =
    list.length > 1 ? `${list.slice(0, -1).join(', ')} and ${list.at(-1) ?? ''}` : (list[0] ?? 'none');
  return invalidRequest(`Invalid value: ${shown}. Supported values are: ${known}.`, param, 'invalid_value');
}

function outOfRange(
  issue: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  param: string,
  value: unknown,
): ApiError {
  const isSmall = issue.code === 'too_small';
  const limit = Number(isSmall ? issue.minimum : issue.maximum);
  if (typeof value === 'number') {
    const kind = Number.isInteger(value) ? 'integer' : 'decimal';
    const message =
      `Invalid '${param}': ${kind} ${isSmall ? 'below minimum' : 'above maximum'} value. ` +
      `Expected a value ${isSmall ? '>=' : '<='} ${limit}, but got ${value} instead.`;
    return invalidRequest(message, param, `${kind}_${isSmall ? 'below_min' : 'above_max'}_value`);
  }
  const kind = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'object';
  const length =
    Array.isArray(value) || typeof value === 'string' ? value.length : Object.keys(value ?? {}).length;
  const message =
    `Invalid '${param}': ${kind} too ${isSmall ? 'short' : 'long'}. Expected ${kind === 'string' ? 'a' : 'an'} ${kind} ` +
    `with ${isSmall ? 'minimum' : 'maximum'} length ${limit}, but got one with length ${length} instead.`;
  return invalidRequest(message, param, `${kind}_${isSmall ? 'below_min' : 'above_max'}_length`);
}

/** A path in the format of OpenAI's API, e.g. `input[0].content`. */
function showPath(path: Path): string {
  return path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[${key}]`;
    return shown === '' ? String(key) : `${shown}.${String(key)}`;
  }, '');
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([name]) => name === String(key))?.[1];
  }, data);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return aKindOf(typeof value);
}

function aKindOf(name: string): string {
  if (name === 'int') return 'an integer';
  if (name === 'record') return 'an object';
  if (name === 'null') return 'null';
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
