import { z } from 'zod';

/** `${name}`: where the token of this name goes, written in letters, digits and `_`, 1 to 64 of them. */
export const PLACEHOLDER = /\$\{([A-Za-z0-9_]{1,64})\}/g;

const LONGEST_TEMPLATE = 8_192;

/** The names of the tokens that a template asks for, each once, in their order. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))];
}

/**
 * A text that may hold placeholders. Every `${` begins one: what only looks like a placeholder would be sent as it
 * stands. Without control characters, since it becomes a header, a part of an address or a variable.
 */
export const templateSchema = z
  .string('must be a text')
  .min(1, 'must not be empty: leave it out instead')
  .max(LONGEST_TEMPLATE, `must have at most ${LONGEST_TEMPLATE} characters`)
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII, without line breaks')
  .refine(
    (text) => !text.replaceAll(PLACEHOLDER, '').includes('${'),
    'has a "${" that begins no placeholder: write ${name}, of 1 to 64 letters, digits or _',
  );
