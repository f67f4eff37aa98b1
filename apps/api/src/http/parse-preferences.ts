/** Splits at commas outside quotes; an unclosed quote extends to the end. */
const PREFERENCES = /(?:[^,"]|"(?:[^"\\]|\\.)*"|"[^]*$)+/g;
/** A name with an optional value (token or quoted) and optional parameters, which supported preferences do not have. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/**
 * Preferences of a `Prefer` header by lower-case name, with an empty text for a missing value (RFC 7240). Malformed
 * preferences are ignored, and the first of a name counts, as the standard requires.
 */
export function parsePreferences(header: string | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [text] of (header ?? '').matchAll(PREFERENCES)) {
    const [, name, quoted, token] = PREFERENCE.exec(text) ?? [];
    if (name === undefined || preferences.has(name.toLowerCase())) continue;
    preferences.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '');
  }
  return preferences;
}
