import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import {
  checkModelCredentials,
  checkProviderCredentials,
  resolveConnection,
  type CredentialCheck,
  type OpenAiConnection,
} from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import { guardedAgent } from '#libs/guarded-fetch';
import { API_CONFIG } from '../api.tokens.js';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmValidationDto } from './llm.dto.js';
import { llmNotFound } from './llm.faults.js';

/** A person waits for the answer. */
const LONGEST_MS = 30_000;

/** Tries a model configuration for real: does the provider accept its key, does the model answer (S1-37, S1-38)? */
@Injectable()
export class ValidateLlm {
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_MS });

  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
    @Inject(API_CONFIG) private readonly config: AppConfig,
  ) {}

  async execute(tenantId: string, id: number): Promise<LlmValidationDto> {
    const llm = await this.llms.findSealed(tenantId, id);
    if (llm === null) throw llmNotFound();
    const { openai } = this.config;
    const own = { apiKey: this.keeper.open(llm), settings: llm.credentials };
    const { isOwnServer, apiKey, baseUrl, organization, timeoutMs } = resolveConnection(own, openai);
    const connection: OpenAiConnection = {
      apiKey,
      baseUrl,
      organization,
      timeoutMs: Math.min(timeoutMs, LONGEST_MS),
      ...(isOwnServer && !openai.allowPrivateHosts && { dispatcher: this.publicOnly }),
    };
    const signal = AbortSignal.timeout(LONGEST_MS);
    const provider = await checkProviderCredentials(connection, signal);
    const checks = [toCheck('provider', provider)];
    if (provider.ok)
      checks.push(toCheck('model', await checkModelCredentials(connection, llm.model, signal)));
    return { valid: checks.every((check) => check.ok), checks };
  }
}

function toCheck(name: 'provider' | 'model', check: CredentialCheck): LlmValidationDto['checks'][number] {
  if (check.ok) return { name, ok: true, reason: null, message: null };
  return { name, ok: false, reason: check.reason, message: check.message };
}
