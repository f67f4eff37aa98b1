import type { AppConfig } from '#libs/config';
import type { StoredLlm } from '#libs/executions';
import { guardedAgent } from '#libs/guarded-fetch';
import { AppError } from '#libs/kernel';
import { resolveConnection, type ProviderConnection, type ProviderRegistry } from '#libs/model-providers';
import { llmKeyPlace, type SecretBox } from '#libs/secrets';

/** The longest time that a model configuration can allow (S1-10). */
const LONGEST_CALL_MS = 900_000;

/** How the provider of a model configuration is reached: by its own key and server, or those of the process. */
export class ModelConnections {
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_CALL_MS });

  constructor(
    private readonly config: AppConfig['models'],
    private readonly secrets: SecretBox | null,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Throws an `AppError` that may become the execution's error where the configuration cannot be used. */
  of(llm: StoredLlm): { readonly connection: ProviderConnection; readonly maxRetries: number } {
    const { credentials } = this.providers.get(llm.provider);
    const apiKey = llm.apiKeySealed === null ? null : this.open(llm.apiKeySealed, llm);
    const { maxRetries, isOwnServer, ...connection } = resolveConnection(
      credentials,
      { apiKey, settings: llm.credentials },
      this.config.connections[llm.provider] ?? { apiKey: null, baseUrl: null },
    );
    // The operator's own server may stand anywhere; one that a tenant names may not, unless the operator says so.
    const guard = isOwnServer && !this.config.allowPrivateHosts ? { dispatcher: this.publicOnly } : {};
    return { maxRetries, connection: { ...connection, ...guard } };
  }

  private open(sealed: string, llm: StoredLlm): string {
    if (this.secrets) return this.secrets.open(sealed, llmKeyPlace(llm.tenantId, llm.id));
    throw new AppError({
      code: 'SECRET_UNREADABLE',
      kind: 'internal',
      message: 'ENCRYPTION_KEY is not set in this process',
    });
  }
}
