import type { CredentialForm } from './credential-form.js';
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
  | { readonly kind: 'refused'; readonly field: string; readonly message: string };

/**
 * What becomes of a stored key when the credentials of its configuration are replaced. A key belongs to the server that it
 * was given for: named another one, it never follows there. Pure; `given` has been normalised, so it is known to be sound.
 *
 * @param stored null for a new configuration
 */
export function judgeKeyChange(
  form: CredentialForm,
  stored: StoredKey | null,
  given: { readonly hasKey: boolean; readonly settings: Readonly<Record<string, unknown>> },
): KeyVerdict {
  if (given.hasKey || isKeyless(given.settings)) return { kind: 'drop' };
  const base = normalizeSettings(form, given.settings).baseUrl;
  const refused = (message: string): KeyVerdict => ({ kind: 'refused', field: form.keyField, message });
  if (stored?.hasKey !== true)
    return base === null ? { kind: 'keep' } : refused(`${form.keyField} is required`);
  if (normalizeSettings(form, stored.settings).baseUrl === base) return { kind: 'keep' };
  return refused(`${form.keyField} is required: the stored key belongs to another server`);
}
