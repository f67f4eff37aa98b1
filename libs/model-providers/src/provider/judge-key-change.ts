import type { CredentialForm } from './credential-form.js';
import { isKeyless, normalizeSettings } from './credentials.js';

/** Stored credentials without the key itself. */
export interface StoredKey {
  readonly hasKey: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

export type KeyVerdict =
  | { readonly kind: 'keep' }
  /** The stored key is deleted or replaced. */
  | { readonly kind: 'drop' }
  /** Names the field that is missing. */
  | { readonly kind: 'refused'; readonly field: string; readonly message: string };

/**
 * Decides about the stored key when credentials are replaced. A key belongs to the server that it was entered for, and
 * is never sent to another one. Pure; `given` is already normalised and valid.
 *
 * @param stored null for a new configuration
 */
export function evaluateKeyChange(
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
