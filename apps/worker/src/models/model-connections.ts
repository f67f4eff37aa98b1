import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { StoredLlm } from '#libs/executions';
import { guardedAgent } from '#libs/guarded-fetch';
import { ProviderRegistry, resolveConnection, type ProviderConnection } from '#libs/model-providers';
import { llmKeyPlace, SecretBox } from '#libs/secrets';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Maximum call timeout of a model configuration, in milliseconds (S1-10). */
const MAX_CALL_MS = 900_000;

/** Resolves server and key of a model configuration: its own, or those of the process. */
@Injectable()
export class ModelConnections {
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: MAX_CALL_MS });

  constructor(
    @Inject(WORKER_CONFIG) private readonly config: Pick<AppConfig, 'models'>,
    private readonly secrets: SecretBox,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Throws an `AppError` that may become the execution's error if the configuration is unusable. */
  of(llm: StoredLlm): { readonly connection: ProviderConnection; readonly maxRetries: number } {
    const { connections, aliases, allowPrivateHosts } = this.config.models;
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
    // A tenant's server must have a public address unless the operator allows private ones; the operator's own server may
    // be anywhere.
    const guard = isOwnServer && !allowPrivateHosts ? { dispatcher: this.publicOnly } : {};
    const named = aliases[llm.provider];
    return { maxRetries, connection: { ...connection, ...guard, ...(named && { aliases: named }) } };
  }
}
