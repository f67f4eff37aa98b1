/** What became of a template: its text with every placeholder filled, or the tokens that it lacks, each named once. */
export type FilledTemplate = { readonly value: string } | { readonly missing: readonly string[] };

/** `${name}`, or what only begins like one: that must not be sent as it stands either. */
const PLACEHOLDER = /\$\{(?:(\w{1,64})\}|([^}]*)\}?)/g;

/** What a broken placeholder is called at most, in characters. */
const LONGEST_NAME = 64;

/**
 * Fills the placeholders of a header, query or environment value (S4-9), in one pass: what a token says is never read as a
 * placeholder itself. A token that is not there, or empty, makes the whole value missing: neither the placeholder nor an
 * empty credential is ever sent.
 *
 * @param template text with any number of `${name}`, where a name is 1 to 64 letters, digits or underscores
 */
export function fillTemplate(template: string, tokens: Readonly<Record<string, string>>): FilledTemplate {
  const missing = new Set<string>();
  const value = template.replaceAll(PLACEHOLDER, (_whole, name?: string, broken = '') => {
    const token = name !== undefined && Object.hasOwn(tokens, name) ? tokens[name] : undefined;
    if (token !== undefined && token !== '') return token;
    missing.add(name ?? broken.slice(0, LONGEST_NAME));
    return '';
  });
  return missing.size > 0 ? { missing: [...missing] } : { value };
}

/**
 * The tokens that a template names, each once, in their order; null where a placeholder of it is broken, so that it could
 * never be filled.
 */
export function templateTokens(template: string): readonly string[] | null {
  const found = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name);
  const names = found.filter((name) => name !== undefined);
  return names.length === found.length ? [...new Set(names)] : null;
}
