import type { JsonObject } from '#libs/kernel';
import { textAt, under, type Located } from './located.js';
import type { Method } from './operation.js';

const MAX_NAME = 200;
/** Maximum description length that some providers accept. */
const MAX_DESCRIPTION = 1_024;

/** The `operationId`, else a name made of method and path (3.I-12). */
export function nameOperation(operationId: string | undefined, method: Method, path: string): string {
  const given = operationId?.trim() ?? '';
  return given === '' ? nameByPath(method, path) : given.slice(0, MAX_NAME);
}

/** `GET /users/{userId}` becomes `get_users_userId`. */
export function nameByPath(method: Method, path: string): string {
  const parts = path
    .split('/')
    .map((part) => part.replaceAll(/[^\p{L}\p{N}_]+/gu, ''))
    .filter((part) => part !== '');
  return [method, ...parts].join('_').slice(0, MAX_NAME);
}

/** Summary and description, separated by a blank line, else `METHOD /path` (3.I-12). */
export function describeOperation(at: Located<JsonObject>, method: Method, path: string): string {
  const texts = [textAt(under(at, 'summary')), textAt(under(at, 'description'))]
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '');
  const text = texts.length === 0 ? `${method.toUpperCase()} ${path}` : texts.join('\n\n');
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…`;
}
