/** A comma outside quotes ends a preference; a quote that is never closed takes the rest. */
const PREFERENCES = /(?:[^,"]|"(?:[^"\\]|\\.)*"|"[^]*$)+/g;
/** A name, perhaps a value (a token, or quoted), perhaps parameters, which no preference of ours has. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/**
 * The preferences of a `Prefer` header by their names in small letters, with their values, empty where none is given
 * (RFC 7240). As the standard asks, a malformed preference is ignored and the first of several of one name counts.
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
