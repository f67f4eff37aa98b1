import { REDACTED, SECRET_NAMES } from './secret-names.js';

/** Shorter texts are found everywhere, and hide nothing that could be used. */
const SHORTEST_SECRET = 6;

/**
 * Patterns of texts that look like secrets; the first group, where there is one, stays. Each pattern takes time in
 * proportion to the text: it begins at a fixed word, and what follows is consumed or ends at a character that no other
 * beginning goes past.
 */
const SECRETS: readonly RegExp[] = [
  // Keys of providers, also those that were masked by them: sk-…, sk-proj-…, rk_live_…
  /\b(?:sk|rk|pk|ak|key|pat|ghp|gho|xox[abp])[-_][\w*.-]{6,}/gi,
  /\bAKIA[0-9A-Z]{12,}/g,
  // JSON Web Tokens, also cut ones.
  /\beyJ[\w-]{12,}(?:\.[\w-]*){0,2}/g,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{6,}/gi,
  /(:\/\/)[^\s/:@]*:[^\s/@]+(?=@)/g,
  new RegExp(String.raw`((?:${SECRET_NAMES})["']?\s*[:=]\s*["']?)(?!bearer\b|basic\b)[^\s"',;&]{3,}`, 'gi'),
];

/**
 * A text of somebody else, such as an error message, without what is or looks like a secret (S4-37, 3.E-10). `known` are
 * secrets that may stand in it, whatever they look like.
 */
export function redactText(text: string, known: readonly string[] = []): string {
  const withoutKnown = known
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return SECRETS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (_all, kept: unknown) => (typeof kept === 'string' ? kept : '') + REDACTED),
    withoutKnown,
  );
}
