import { InvalidModelParameterError } from './invalid-model-parameter-error.js';

const ACCEPTED: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  ['1', true],
  [false, false],
  [0, false],
  ['false', false],
  ['0', false],
]);

/** Reads true/false, 1/0 and their text forms in any case (S1-41, S1-42); any other value is an error that names `field`. */
export function parseBoolLike(value: unknown, field: string): boolean {
  const parsed = ACCEPTED.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
  if (parsed !== undefined) return parsed;
  throw new InvalidModelParameterError(field, `${field} must be a boolean-like value`, [
    'true',
    'false',
    '1',
    '0',
  ]);
}
