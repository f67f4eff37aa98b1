import { isJsonObject, type JsonValue } from '#libs/kernel';

/** Replacement for the value of a secret. */
export const REDACTED = '***REDACTED***';

/** Pattern source for names of secrets: a name matches if it contains one of these, in any case. */
const SECRET_NAMES =
  'token|secret|password|passwd|authorization|api[-_]?key|access[-_]?key|private[-_]?key|credentials?';

const SECRET_KEY = new RegExp(SECRET_NAMES, 'i');

/**
 * Redacts values under keys that look like the name of a secret (3.E-10). The depth is bounded, since tool inputs are.
 */
export function redactSecrets(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(redactSecrets);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, redactEntry(key, item)] as const);
  return Object.fromEntries(entries);
}

function redactEntry(key: string, value: JsonValue): JsonValue {
  return SECRET_KEY.test(key) ? REDACTED : redactSecrets(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Minimum characters of a known secret: shorter texts occur everywhere and protect nothing. */
const MIN_SECRET = 6;

/**
 * Patterns of secrets; a first group, if present, is kept. Each pattern runs in linear time: it starts at a fixed word,
 * and the rest is consumed or ends at a character that no other match can cross.
 */
const SECRETS: readonly RegExp[] = [
  // Provider keys, also masked ones: sk-…, sk-proj-…, rk_live_…
  /\b(?:sk|rk|pk|ak|key|pat|ghp|gho|xox[abp])[-_][\w*.-]{6,}/gi,
  /\bAKIA[0-9A-Z]{12,}/g,
  // JSON Web Tokens, also truncated ones.
  /\beyJ[\w-]{12,}(?:\.[\w-]*){0,2}/g,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{6,}/gi,
  /(:\/\/)[^\s/:@]*:[^\s/@]+(?=@)/g,
  new RegExp(String.raw`((?:${SECRET_NAMES})["']?\s*[:=]\s*["']?)(?!bearer\b|basic\b)[^\s"',;&]{3,}`, 'gi'),
];

/** A foreign text, e.g. an error message, without secrets (S4-37, 3.E-10). */
export function redactText(text: string, known: readonly string[] = []): string {
  const withoutKnown = known
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return SECRETS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (_all, kept: unknown) => (typeof kept === 'string' ? kept : '') + REDACTED),
    withoutKnown,
  );
}
