import { z } from 'zod';

/** Placeholder `${name}` for the token of this name: 1 to 64 letters, digits and `_`. */
export const PLACEHOLDER = /\$\{([A-Za-z0-9_]{1,64})\}/g;

const MAX_TEMPLATE = 8_192;

/** Token names of a template, without duplicates, in order. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))];
}

/**
 * A text with placeholders. Every `${` must begin a valid one, because a malformed placeholder would be sent literally.
 * Control characters are forbidden, because the text becomes a header, a part of a URL or an environment variable.
 */
export const templateSchema = z
  .string('must be a text')
  .min(1, 'must not be empty: leave it out instead')
  .max(MAX_TEMPLATE, `must have at most ${MAX_TEMPLATE} characters`)
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII, without line breaks')
  .refine(
    (text) => !text.replaceAll(PLACEHOLDER, '').includes('${'),
    'has a "${" that begins no placeholder: write ${name}, of 1 to 64 letters, digits or _',
  );
