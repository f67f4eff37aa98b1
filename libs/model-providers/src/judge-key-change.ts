import { isKeyless, normalizeSettings } from './credentials.js';

/** What a configuration holds beside the key itself. */
export interface StoredKey {
  readonly hasKey: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

export type KeyVerdict =
  | { readonly kind: 'keep' }
  /** There is none any more, or the new one takes its place. */
  | { readonly kind: 'drop' }
  /** What is missing, at which field. */
  | { readonly kind: 'refused'; readonly field: 'openai_api_key'; readonly message: string };

/**
 * What becomes of a stored key when the credentials of its configuration are replaced. A key belongs to the server that it
 * was given for: named another one, it never follows there. Pure; `given` has been normalised, so it is known to be sound.
 *
 * @param stored null for a new configuration
 */
export function judgeKeyChange(
  stored: StoredKey | null,
  given: { readonly hasKey: boolean; readonly settings: Readonly<Record<string, unknown>> },
): KeyVerdict {
  if (given.hasKey || isKeyless(given.settings)) return { kind: 'drop' };
  const base = normalizeSettings(given.settings).baseUrl;
  if (stored?.hasKey !== true)
    return base === null ? { kind: 'keep' } : refused('openai_api_key is required');
  if (normalizeSettings(stored.settings).baseUrl === base) return { kind: 'keep' };
  return refused('openai_api_key is required: the stored key belongs to another server');
}

function refused(message: string): KeyVerdict {
  return { kind: 'refused', field: 'openai_api_key', message };
}
