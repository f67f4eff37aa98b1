import { PLACEHOLDER, placeholdersOf } from '../servers/template-text.js';

/** A filled template: its value, or the missing tokens, each named once. */
export type FilledTemplate = { readonly value: string } | { readonly missing: readonly string[] };

/** An unterminated placeholder, reported as missing; validation of new templates rejects it. */
const BROKEN = '${';

/**
 * Fills the placeholders of a header, query or environment value (S4-9) in one pass, so that token values are never
 * scanned for placeholders. If a token is absent or empty, the value counts as missing: neither a placeholder nor an
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
