import { z } from 'zod';

const MAX_TOKENS = 32;
const MAX_CHARACTERS = 8_192;

/** Name of the token in `${name}` templates of a tool server. */
const nameSchema = z.string().regex(/^\w{1,64}$/, 'must be 1 to 64 letters, digits or underscores');

/**
 * Visible ASCII with inner spaces: safe in a header, an environment variable and a query, and without line breaks. A
 * blank value would be an empty credential.
 */
const secretSchema = z
  .string()
  .max(MAX_CHARACTERS)
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    'must be visible ASCII characters, at least one, with spaces only between them',
  );

export const requestTokensSchema = z
  .record(nameSchema, secretSchema)
  .refine((tokens) => Object.keys(tokens).length <= MAX_TOKENS, `at most ${MAX_TOKENS} tokens`)
  .describe(
    'Secrets of this execution, by name: they fill `${name}` in the templates of tool servers, and nothing else. Kept sealed, deleted when the execution ends, and after 24 hours in any case.',
  );
export type RequestTokens = z.infer<typeof requestTokensSchema>;
