import { z } from 'zod';

const MOMENT = 'must be a day (2026-11-22, from 00:00 UTC) or a time with its zone (2026-11-22T09:00:00Z)';

/** A day in UTC or a moment, in a year that the database knows. */
export const momentSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], MOMENT)
  .transform((text) => new Date(text))
  .refine((moment) => moment.getUTCFullYear() >= 1970 && moment.getUTCFullYear() <= 9999, MOMENT);

/** Filters by creation time. */
export const rangeFields = {
  from: momentSchema
    .optional()
    .describe('Created at this time or later: a day in UTC, or a time with its zone.'),
  to: momentSchema.optional().describe('Created before this time: a day in UTC, or a time with its zone.'),
};

/** A comma-separated list of these words. */
export function wordsSchema<Word extends string>(words: readonly Word[]) {
  const one = words.join('|').replaceAll('.', '\\.');
  const expected = `must be one of ${words.join(', ')}, or several with commas between`;
  return z
    .string(expected)
    .regex(new RegExp(`^(${one})(,(${one}))*$`), expected)
    .transform((text) => [...new Set(text.split(','))] as Word[]);
}

/** Filter by `executor.user_id` of requests. */
export const executorIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\u0000]*$/, 'must be text without NUL');

const SORTS = ['-created_at', 'created_at'] as const;
export const sortSchema = z
  .enum(SORTS)
  .default('-created_at')
  .describe('`-created_at`: newest first; `created_at`: oldest first. The same for every page of a list.');

const isStorable = (pairs: Readonly<Record<string, string>>): boolean =>
  Object.entries(pairs).every((pair) => pair.every((text) => !text.includes('\u0000')));

/**
 * Filter by key-value pairs that the metadata must all contain.
 *
 * @param rows name of what is listed
 */
export const metadataFilterSchema = (rows: string) =>
  z
    .object({})
    .catchall(z.string('must be given once'))
    .refine(isStorable, 'must be text without NUL')
    .optional()
    .describe(`\`metadata[source]=email\`: only ${rows} with this pair; several pairs must all match.`);

const PAIR = /^metadata\[(?!__proto__\])(.+)\]$/s;

/** Collects `metadata[a]=1&metadata[b]=2` into one field (`deepObject` of OpenAPI). */
export function gatherMetadata(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const [pairs, rest]: [string, unknown][][] = [[], []];
  for (const [name, value] of Object.entries(query)) {
    const key = PAIR.exec(name)?.[1];
    if (key === undefined) rest?.push([name, value]);
    else pairs?.push([key, value]);
  }
  if (pairs?.length === 0) return query;
  return { ...Object.fromEntries(rest ?? []), metadata: Object.fromEntries(pairs ?? []) };
}
