import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import {
  ProviderRegistry,
  resolveConnection,
  type CredentialCheck,
  type ModelProvider,
  type ProviderConnection,
} from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import type { StoredLlm } from '#libs/executions';
import { guardedAgent } from '#libs/guarded-fetch';
import { API_CONFIG } from '../api.tokens.js';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmValidationDto } from './llms.dto.js';
import { llmNotFound } from './llms.faults.js';

/** A person waits for the answer. */
const LONGEST_MS = 30_000;

/** Tries a model configuration for real: does the provider accept its key, does the model answer (S1-37, S1-38)? */
@Injectable()
export class ValidateLlm {
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_MS });

  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
    private readonly providers: ProviderRegistry,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  async execute(tenantId: string, id: number): Promise<LlmValidationDto> {
    const llm = await this.llms.findSealed(tenantId, id);
    if (llm === null) throw llmNotFound();
    const provider = this.providers.get(llm.provider);
    const connection = this.connectionOf(llm, provider);
    const signal = AbortSignal.timeout(LONGEST_MS);
    const accepted = await provider.checkCredentials(connection, signal);
    const checks = [toCheck('provider', accepted)];
    if (accepted.ok) checks.push(toCheck('model', await provider.checkModel(connection, llm.model, signal)));
    return { valid: checks.every((check) => check.ok), checks };
  }

  private connectionOf(llm: StoredLlm, { credentials }: ModelProvider): ProviderConnection {
    const { connections, allowPrivateHosts } = this.config.models;
    const own = { apiKey: this.keeper.open(llm), settings: llm.credentials };
    const server = connections[llm.provider] ?? { apiKey: null, baseUrl: null };
    const { isOwnServer, maxRetries: _once, ...connection } = resolveConnection(credentials, own, server);
    return {
      ...connection,
      timeoutMs: Math.min(connection.timeoutMs, LONGEST_MS),
      ...(isOwnServer && !allowPrivateHosts && { dispatcher: this.publicOnly }),
    };
  }
}

function toCheck(name: 'provider' | 'model', check: CredentialCheck): LlmValidationDto['checks'][number] {
  if (check.ok) return { name, ok: true, reason: null, message: null };
  return { name, ok: false, reason: check.reason, message: check.message };
}
