import { z } from 'zod';

/** Default number of matches. */
export const DEFAULT_LIMIT = 5;

const MAX_MATCHES = 20;
const MAX_QUERY = 300;

/** Input of both search tools; `limit` is 1 to 20, null for {@link DEFAULT_LIMIT}. */
export const searchInputSchema = z.object({
  query: z.string().min(1).max(MAX_QUERY).describe('What to look for.'),
  limit: z
    .union([z.number().int().min(1).max(MAX_MATCHES), z.null()])
    .describe(`At most so many matches, 1 to ${MAX_MATCHES}; null means ${DEFAULT_LIMIT}.`),
});
