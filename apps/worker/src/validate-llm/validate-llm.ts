import { assertNever, AppError } from '#libs/kernel';
import type { StoredLlm } from '#libs/executions';
import type { CredentialCheck, ModelProvider, ProviderConnection } from '#libs/model-providers';
import type { LlmValidation } from '#libs/payloads';

/** Time limit in milliseconds; a person waits for the answer. */
const MAX_MS = 30_000;

type CheckName = LlmValidation['checks'][number]['name'];

export interface ValidateLlmDependencies {
  /** Null if the configuration does not exist or was deleted. */
  readonly find: (tenantId: string, llmId: number) => Promise<StoredLlm | null>;
  readonly providerOf: (llm: StoredLlm) => Pick<ModelProvider, 'checkCredentials' | 'checkModel'>;
  /** Returns the connection with its opened key. Throws an `AppError` if the configuration is unusable. */
  readonly connectionOf: (llm: StoredLlm) => ProviderConnection;
}

/**
 * Tests a model configuration in the environment of executions: whether the provider accepts the key and the model
 * answers (S1-37, S1-38).
 */
export class ValidateLlm {
  constructor(private readonly given: ValidateLlmDependencies) {}

  /** Null if there is no such configuration. Takes at most 30 s; the result contains no secrets. */
  async execute(tenantId: string, llmId: number): Promise<LlmValidation | null> {
    const llm = await this.given.find(tenantId, llmId);
    if (llm === null) return null;
    const checks = await this.check(llm);
    return { valid: checks.every(({ ok }) => ok), outcome: outcomeOf(checks), checks };
  }

  private async check(llm: StoredLlm): Promise<LlmValidation['checks']> {
    const signal = AbortSignal.timeout(MAX_MS);
    try {
      const provider = this.given.providerOf(llm);
      const connection = this.given.connectionOf(llm);
      const limited = { ...connection, timeoutMs: Math.min(connection.timeoutMs, MAX_MS) };
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

/** Overall outcome of the checks. Pure. */
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
    // A server without a model list is not the intended server.
    case 'provider':
      return 'unreachable';
    default:
      return assertNever(failed.name);
  }
}
