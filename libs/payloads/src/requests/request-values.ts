import { z } from 'zod';

/** Maximum of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** A number in a path or query: digits only, so that `1e3`, ` 5` and the empty text are refused. */
export function digits<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  );
}

export function wholeNumber(min: number, max = MAX_INTEGER) {
  const words = `must be a whole number from ${min} to ${max}`;
  return z.int(words).min(min, words).max(max, words);
}

/** Id of a row in a JSON body. */
export const idInBodySchema = wholeNumber(1);
/** Id of a row in a path or query. */
export const idSchema = digits(idInBodySchema);

/** UUID in a path or query, converted to lower case as it is stored. */
export const uuidSchema = z.uuid('must be a UUID').toLowerCase();
