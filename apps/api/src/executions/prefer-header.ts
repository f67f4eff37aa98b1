const MAX_WAIT_SECONDS = 60;

/** One preference: a name, perhaps a value (bare or quoted), perhaps parameters, which we do not use. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240), at most {@link MAX_WAIT_SECONDS}; null without one. As the standard asks,
 * what is not understood is ignored and the first of several counts.
 */
export function parsePreferredWait(header: string | undefined): number | null {
  for (const preference of (header ?? '').split(',')) {
    const [, name, quoted, bare] = PREFERENCE.exec(preference) ?? [];
    if (name?.toLowerCase() === 'wait') return readSeconds(quoted ?? bare ?? '');
  }
  return null;
}

function readSeconds(text: string): number | null {
  if (!/^\d{1,9}$/.test(text)) return null;
  const seconds = Math.min(Number(text), MAX_WAIT_SECONDS);
  return seconds === 0 ? null : seconds;
}
