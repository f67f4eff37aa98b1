import { assertNever, AppError } from '#libs/kernel';
import type { StoredLlm } from '#libs/executions';
import type { CredentialCheck, ModelProvider, ProviderConnection } from '#libs/model-providers';
import type { LlmValidation } from '#libs/payloads';

/** A person waits for the answer. */
const LONGEST_MS = 30_000;

type CheckName = LlmValidation['checks'][number]['name'];

export interface ValidateLlmDependencies {
  /** Null where there is none, or none any more. */
  readonly find: (tenantId: string, llmId: number) => Promise<StoredLlm | null>;
  readonly providerOf: (llm: StoredLlm) => Pick<ModelProvider, 'checkCredentials' | 'checkModel'>;
  /** With its key opened. Throws an `AppError` where the configuration cannot be used. */
  readonly connectionOf: (llm: StoredLlm) => ProviderConnection;
}

/**
 * Tries a model configuration for real, from where executions ask it: does the provider accept its key, does the model
 * answer (S1-37, S1-38)?
 */
export class ValidateLlm {
  constructor(private readonly given: ValidateLlmDependencies) {}

  /** Null where there is no such configuration. Takes at most half a minute; no text of it has a secret in it. */
  async execute(tenantId: string, llmId: number): Promise<LlmValidation | null> {
    const llm = await this.given.find(tenantId, llmId);
    if (llm === null) return null;
    const checks = await this.check(llm);
    return { valid: checks.every(({ ok }) => ok), outcome: outcomeOf(checks), checks };
  }

  private async check(llm: StoredLlm): Promise<LlmValidation['checks']> {
    const signal = AbortSignal.timeout(LONGEST_MS);
    try {
      const provider = this.given.providerOf(llm);
      const connection = this.given.connectionOf(llm);
      const limited = { ...connection, timeoutMs: Math.min(connection.timeoutMs, LONGEST_MS) };
      const accepted = toCheck('provider', await provider.checkCredentials(limited, signal));
      if (!accepted.ok) return [accepted];
      return [accepted, toCheck('model', await provider.checkModel(limited, llm.model, signal))];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ name: 'provider', ok: false, reason: 'configuration', message: error.message }];
    }
  }
}

function toCheck(name: CheckName, check: CredentialCheck): LlmValidation['checks'][number] {
  if (check.ok) return { name, ok: true, reason: null, message: null };
  return { name, ok: false, reason: check.reason, message: check.message };
}

const KEY_REFUSED: ReadonlySet<string> = new Set(['invalid_credentials', 'permission_denied']);
const UNREACHABLE: ReadonlySet<string> = new Set([
  'connection_failed',
  'request_timeout',
  'first_byte_timeout',
  'provider_unavailable',
]);

/** Pure: what the checks come to, in one word. */
function outcomeOf(checks: LlmValidation['checks']): LlmValidation['outcome'] {
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return 'works';
  const reason = failed.reason ?? '';
  if (KEY_REFUSED.has(reason)) return 'key_refused';
  if (UNREACHABLE.has(reason)) return 'unreachable';
  if (reason !== 'model_not_found') return 'unusable';
  switch (failed.name) {
    case 'model':
      return 'unknown_model';
    // A server that has no list of models is not the one that was meant.
    case 'provider':
      return 'unreachable';
    default:
      return assertNever(failed.name);
  }
}
