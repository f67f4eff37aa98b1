import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/kernel';
import {
  isKeyless,
  evaluateKeyChange,
  normalizeCredentials,
  normalizeSettings,
  type CredentialForm,
  ProviderRegistry,
  type StoredKey,
} from '#libs/model-providers';
import type { SealKey } from '#libs/persistence';
import type { StoredLlm } from '#libs/executions';
import { llmKeyPlace, SecretBox } from '#libs/secrets';
import { asFieldFault, foreignFields, missingKey } from './llms.errors.js';
import type { LlmCredentials } from './llms.dto.js';

const HINT_CHARACTERS = 4;

/** Splits credentials of a provider into settings that may be shown and the key, which is sealed at once. */
@Injectable()
export class CredentialKeeper {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Normalises the settings (S1-8 … S1-11), and decides whether the stored key is dropped. Throws an error that names the
   * field, also where the stored key would be sent to another server.
   * @param stored key of the configuration's current provider; null for a new configuration or provider
   */
  evaluate(
    provider: string,
    credentials: LlmCredentials,
    stored: StoredKey | null,
  ): { openPart: JsonObject; dropsKey: boolean } {
    const foreign = this.providers.foreignFields(provider, credentials);
    if (foreign.length > 0) throw foreignFields(provider, foreign);
    const form = this.providers.get(provider).credentials;
    const { [form.keyField]: key, ...settings } = credentials;
    try {
      const hasKey = key !== undefined;
      if (hasKey || isKeyless(settings)) normalizeCredentials(form, credentials);
      const openPart = toOpenPart(form, settings);
      const verdict = evaluateKeyChange(form, stored, { hasKey, settings });
      if (verdict.kind === 'refused') throw missingKey(verdict.field, verdict.message);
      return { openPart, dropsKey: verdict.kind === 'drop' };
    } catch (error) {
      throw asFieldFault(error);
    }
  }

  /** Stored settings with the defaults that those of a seed lack. */
  normalized(provider: string, settings: LlmCredentials): JsonObject {
    return toOpenPart(this.providers.get(provider).credentials, settings);
  }

  /** Whether the stored key need not be replaced: none is given, or the same. One that cannot be opened is replaced. */
  isStoredKey({ id, tenantId, provider, apiKeySealed }: StoredLlm, credentials: LlmCredentials): boolean {
    const key = this.keyOf(provider, credentials);
    if (key === '') return true;
    if (apiKeySealed === null) return false;
    try {
      return this.secrets.open(apiKeySealed, llmKeyPlace(tenantId, id)) === key;
    } catch {
      return false;
    }
  }

  /** Seals the given key, if any, bound to its configuration. */
  sealer(tenantId: string, provider: string, credentials: LlmCredentials | undefined): SealKey {
    const key = this.keyOf(provider, credentials);
    if (key === '') return () => null;
    const { secrets } = this;
    secrets.requireKeyring();
    return (llmId) => ({
      sealed: secrets.seal(key, llmKeyPlace(tenantId, llmId)),
      hint: key.slice(-HINT_CHARACTERS),
    });
  }

  /** Empty where none is given. */
  private keyOf(provider: string, credentials: LlmCredentials | undefined): string {
    const given = credentials?.[this.providers.get(provider).credentials.keyField];
    return typeof given === 'string' ? given.trim() : '';
  }
}

function toOpenPart(form: CredentialForm, settings: LlmCredentials): JsonObject {
  const { organization, baseUrl, timeoutMs, firstByteMs, maxRetries, streamWhen, options } =
    normalizeSettings(form, settings);
  return {
    ...(isKeyless(settings) && { auth: 'none' }),
    ...(form.organizationField !== null &&
      organization !== null && { [form.organizationField]: organization }),
    ...(baseUrl !== null && { [form.baseField]: baseUrl }),
    request_timeout_seconds: timeoutMs / 1_000,
    ...(settings['first_byte_timeout_seconds'] !== undefined && {
      first_byte_timeout_seconds: firstByteMs / 1_000,
    }),
    ...(streamWhen !== undefined && { stream_when: streamWhen }),
    max_retries: maxRetries,
    ...options,
  };
}
