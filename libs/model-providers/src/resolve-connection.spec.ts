import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { resolveConnection } from './resolve-connection.js';

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
    ['nobody’s key', {}, null],
    ['no key for the server of the process', { auth: 'none' }, 'sk-process'],
  ])('S1-7: refuses %s', (_name, settings, processKey) => {
    const resolve = () =>
      resolveConnection({ apiKey: null, settings }, { apiKey: processKey, baseUrl: null });
    expect(resolve).toThrow(/is required/);
  });

  it('keeps time limit and retries within their bounds (S1-10, S1-11)', () => {
    const settings = { request_timeout_seconds: '5', max_retries: '99' };
    expect(resolveConnection({ apiKey: 'k', settings }, process)).toMatchObject({
      timeoutMs: 30_000,
      maxRetries: 5,
    });
  });
});
