import { PLACEHOLDER, placeholdersOf } from '../servers/template-text.js';

/** What became of a template: its text with every placeholder filled, or the tokens that it lacks, each named once. */
export type FilledTemplate = { readonly value: string } | { readonly missing: readonly string[] };

/** What a template lacks that could never be filled; nothing that is written today is one. */
const BROKEN = '${';

/**
 * Fills the placeholders of a header, query or environment value (S4-9), in one pass: what a token says is never read as a
 * placeholder itself. A token that is not there, or empty, makes the whole value missing: neither the placeholder nor an
 * empty credential is ever sent.
 *
 * @param template text with any number of `${name}`
 */
export function fillTemplate(template: string, tokens: Readonly<Record<string, string>>): FilledTemplate {
  const tokenOf = (name: string): string => (Object.hasOwn(tokens, name) ? (tokens[name] ?? '') : '');
  const missing = placeholdersOf(template).filter((name) => tokenOf(name) === '');
  if (template.replaceAll(PLACEHOLDER, '').includes(BROKEN)) missing.push(BROKEN);
  if (missing.length > 0) return { missing };
  return { value: template.replaceAll(PLACEHOLDER, (_whole, name: string) => tokenOf(name)) };
}
