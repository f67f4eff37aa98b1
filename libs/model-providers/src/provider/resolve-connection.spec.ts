import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { compatibleCredentials } from '../openai-compatible/compatible-credentials.js';
import { openAiCredentials } from '../openai/openai-credentials.js';
import {
  resolveConnection as resolve,
  type OwnConnection,
  type ProcessConnection,
} from './resolve-connection.js';

const resolveConnection = (own: OwnConnection, ofProcess: ProcessConnection) =>
  resolve(openAiCredentials, own, ofProcess);
const process = { apiKey: 'sk-process', baseUrl: 'http://proxy.test/v1' };
const OWN = { openai_api_base: 'https://own.test' };

describe('resolveConnection', () => {
  it.each([
    [
      'nothing of its own: the operator’s key and server',
      null,
      {},
      'sk-process',
      'http://proxy.test/v1',
      false,
    ],
    ['its own key: OpenAI itself', 'sk-own', {}, 'sk-own', null, false],
    ['its own key and server', 'sk-own', OWN, 'sk-own', 'https://own.test/v1', true],
    [
      'its own server, which asks for no key',
      null,
      { ...OWN, auth: 'none' },
      null,
      'https://own.test/v1',
      true,
    ],
    [
      'a blank server counts as none',
      null,
      { openai_api_base: ' ' },
      'sk-process',
      'http://proxy.test/v1',
      false,
    ],
  ])('%s', (_name, apiKey, settings, key, baseUrl, isOwnServer) => {
    expect(resolveConnection({ apiKey, settings }, process)).toMatchObject({
      apiKey: key,
      baseUrl,
      isOwnServer,
    });
  });

  it.each<[string, JsonObject, string | null]>([
    ['its own server and no key: never the operator’s', OWN, 'sk-process'],
    ['no key at all', {}, null],
    ['no key for the server of the process', { auth: 'none' }, 'sk-process'],
  ])('S1-7: refuses %s', (_name, settings, processKey) => {
    const resolving = () =>
      resolveConnection({ apiKey: null, settings }, { apiKey: processKey, baseUrl: null });
    expect(resolving).toThrow(/is required/);
  });

  it('keeps time limit and retries within their bounds (S1-10, S1-11)', () => {
    const settings = { request_timeout_seconds: '5', max_retries: '99' };
    expect(resolveConnection({ apiKey: 'k', settings }, process)).toMatchObject({
      timeoutMs: 30_000,
      maxRetries: 5,
    });
  });

  const NOTHING = { apiKey: null, baseUrl: null };
  const VLLM = { apiKey: null, baseUrl: 'http://vllm.test/v1' };
  it.each<[string, OwnConnection, ProcessConnection, object]>([
    ['the operator’s server, which asks for no key', { apiKey: null, settings: {} }, VLLM, VLLM],
    [
      'the operator’s server and its key',
      { apiKey: null, settings: {} },
      { ...VLLM, apiKey: 'k' },
      { ...VLLM, apiKey: 'k' },
    ],
    [
      'its own server and key, with a path that is kept',
      {
        apiKey: 'k',
        settings: { api_base: 'https://a.test/openai/deployments/x', api_version: '2024-10-21' },
      },
      VLLM,
      {
        apiKey: 'k',
        baseUrl: 'https://a.test/openai/deployments/x',
        options: { api_version: '2024-10-21' },
        isOwnServer: true,
      },
    ],
    [
      'a bare host',
      { apiKey: null, settings: { auth: 'none', api_base: 'http://ollama.test:11434/' } },
      NOTHING,
      { apiKey: null, baseUrl: 'http://ollama.test:11434/v1' },
    ],
  ])('for a provider without a default host: %s', (_name, own, ofProcess, expected) =>
    expect(resolve(compatibleCredentials, own, ofProcess)).toMatchObject(expected),
  );

  it.each<[string, OwnConnection, ProcessConnection, string]>([
    ['no server anywhere', { apiKey: null, settings: {} }, NOTHING, 'api_base is required'],
    ['a key of its own and no server', { apiKey: 'k', settings: {} }, VLLM, 'api_base is required'],
    [
      'its own server and no key: never the operator’s',
      { apiKey: null, settings: { api_base: 'https://a.test/v1' } },
      { ...VLLM, apiKey: 'sk-process' },
      'api_key is required',
    ],
  ])('for a provider without a default host refuses %s', (_name, own, ofProcess, message) =>
    expect(() => resolve(compatibleCredentials, own, ofProcess)).toThrow(message),
  );
});
