import { describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import type { CredentialCheck, ProviderConnection } from '#libs/model-providers';
import { aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import { ValidateLlm } from './validate-llm.js';

const OK: CredentialCheck = { ok: true };
const failed = (reason: string): CredentialCheck => ({ ok: false, reason, message: reason });
const CONNECTION = { timeoutMs: 300_000 } as ProviderConnection;

interface Given {
  readonly provider?: CredentialCheck;
  readonly model?: CredentialCheck;
  readonly connectionOf?: () => ProviderConnection;
}

async function validate({ provider = OK, model = OK, connectionOf = () => CONNECTION }: Given) {
  const asked: [string, number][] = [];
  const answer = (name: string, check: CredentialCheck) => (connection: ProviderConnection) => {
    asked.push([name, connection.timeoutMs]);
    return Promise.resolve(check);
  };
  const validateLlm = new ValidateLlm({
    find: (_tenant, id) => Promise.resolve(id === 1 ? aStoredLlm({}) : null),
    providerOf: () => ({
      checkCredentials: answer('provider', provider),
      checkModel: answer('model', model),
    }),
    connectionOf,
  });
  return {
    asked,
    validation: await validateLlm.execute('default', 1),
    gone: await validateLlm.execute('default', 2),
  };
}

describe('the result of trying a model configuration', () => {
  it.each<[string, Given]>([
    ['works', {}],
    ['key_refused', { provider: failed('invalid_credentials') }],
    ['key_refused', { model: failed('permission_denied') }],
    ['unreachable', { provider: failed('connection_failed') }],
    ['unreachable', { model: failed('request_timeout') }],
    ['unreachable', { provider: failed('model_not_found') }],
    ['unknown_model', { model: failed('model_not_found') }],
    ['unusable', { model: failed('insufficient_quota') }],
  ])('is %s with %j', async (outcome, given) => {
    expect((await validate(given)).validation).toMatchObject({ outcome, valid: outcome === 'works' });
  });

  it('asks the model only with a key that is accepted, for half a minute each', async () => {
    expect((await validate({})).asked).toEqual([
      ['provider', 30_000],
      ['model', 30_000],
    ]);
    expect((await validate({ provider: failed('invalid_credentials') })).asked).toHaveLength(1);
  });

  it('says what is missing in the configuration itself, and nothing of a surprise', async () => {
    const missing = new AppError({ code: 'INVALID_CREDENTIALS', kind: 'invalid_input', message: 'no key' });
    const { validation } = await validate({
      connectionOf: () => {
        throw missing;
      },
    });
    expect(validation).toEqual({
      valid: false,
      outcome: 'unusable',
      checks: [{ name: 'provider', ok: false, reason: 'configuration', message: 'no key' }],
    });
    const surprise = validate({
      connectionOf: () => {
        throw new TypeError('sk-secret');
      },
    });
    await expect(surprise).rejects.toThrow(TypeError);
  });

  it('is nothing where the configuration is gone', async () => {
    expect((await validate({})).gone).toBeNull();
  });
});
