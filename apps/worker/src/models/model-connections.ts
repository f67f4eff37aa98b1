import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { StoredLlm } from '#libs/executions';
import { guardedAgent } from '#libs/guarded-fetch';
import { ProviderRegistry, resolveConnection, type ProviderConnection } from '#libs/model-providers';
import { llmKeyPlace, SecretBox } from '#libs/secrets';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** The longest time that a model configuration can allow (S1-10). */
const LONGEST_CALL_MS = 900_000;

/** How the provider of a model configuration is reached: by its own key and server, or those of the process. */
@Injectable()
export class ModelConnections {
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_CALL_MS });

  constructor(
    @Inject(WORKER_CONFIG) private readonly config: Pick<AppConfig, 'models'>,
    private readonly secrets: SecretBox,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Throws an `AppError` that may become the execution's error where the configuration cannot be used. */
  of(llm: StoredLlm): { readonly connection: ProviderConnection; readonly maxRetries: number } {
    const { connections, allowPrivateHosts } = this.config.models;
    const { credentials } = this.providers.get(llm.provider);
    const apiKey =
      llm.apiKeySealed === null
        ? null
        : this.secrets.open(llm.apiKeySealed, llmKeyPlace(llm.tenantId, llm.id));
    const { maxRetries, isOwnServer, ...connection } = resolveConnection(
      credentials,
      { apiKey, settings: llm.credentials },
      connections[llm.provider] ?? { apiKey: null, baseUrl: null },
    );
    // The operator's own server may stand anywhere; one that a tenant names may not, unless the operator says so.
    const guard = isOwnServer && !allowPrivateHosts ? { dispatcher: this.publicOnly } : {};
    return { maxRetries, connection: { ...connection, ...guard } };
  }
}
