import { describe, expect, it } from '@jest/globals';
import { openAiCredentials } from '../openai/openai-credentials.js';
import { normalizeCredentials as normalize } from './credentials.js';

const normalizeCredentials = (raw: Readonly<Record<string, unknown>>) => normalize(openAiCredentials, raw);
const key = { openai_api_key: 'sk-1' };

describe('normalizeCredentials', () => {
  it.each([[{}], [{ openai_api_key: '' }], [{ openai_api_key: '  ' }], [{ openai_api_key: null }]])(
    'S1-7: %j has no API key',
    (raw) => expect(() => normalizeCredentials(raw)).toThrow('openai_api_key is required'),
  );

  it('S1-7: takes a server of one’s own without a key, where it says so', () => {
    const own = { auth: 'none', openai_api_base: 'https://own.test' };
    expect(normalizeCredentials(own)).toMatchObject({ apiKey: null, baseUrl: 'https://own.test/v1' });
    expect(() => normalizeCredentials({ auth: 'none' })).toThrow(
      'openai_api_base is required where auth is none',
    );
    expect(() => normalizeCredentials({ ...own, ...key })).toThrow('openai_api_key must be left out');
    expect(() => normalizeCredentials({ ...own, auth: 'key' })).toThrow('openai_api_key is required');
  });

  it.each([
    [undefined, 60],
    [5, 5],
    ['900', 900],
    [901, 900],
    [0, 1],
    ['soon', 60],
  ])('first_byte_timeout_seconds %j → %j s', (value, seconds) =>
    expect(normalizeCredentials({ ...key, first_byte_timeout_seconds: value }).firstByteMs).toBe(
      seconds * 1_000,
    ),
  );

  it('S1-7: trims the API key', () =>
    expect(normalizeCredentials({ openai_api_key: ' sk-1\n' }).apiKey).toBe('sk-1'));

  it.each(['sk 1', 'sk\n1', 'ключ'])('S1-7: refuses the API key %j without quoting it', (value) =>
    expect(() => normalizeCredentials({ openai_api_key: value })).toThrow(
      'openai_api_key must consist of letters, digits and signs without spaces',
    ),
  );

  it.each([
    [' org-1 ', 'org-1'],
    ['  ', null],
    [undefined, null],
  ])('S1-8: organization %j → %j', (value, expected) =>
    expect(normalizeCredentials({ ...key, openai_organization: value }).organization).toBe(expected),
  );

  it.each([
    ['', null],
    ['  ', null],
    [undefined, null],
    ['https://x', 'https://x/v1'],
    [' https://x/ ', 'https://x/v1'],
    ['https://x///', 'https://x/v1'],
    ['https://x/v1', 'https://x/v1'],
    ['https://x/v1/', 'https://x/v1'],
    ['https://x/v2', 'https://x/v2/v1'],
    ['http://127.0.0.1:8080/proxy', 'http://127.0.0.1:8080/proxy/v1'],
  ])('S1-9: base %j → %j', (value, expected) =>
    expect(normalizeCredentials({ ...key, openai_api_base: value }).baseUrl).toBe(expected),
  );

  it.each(['x', 'ftp://x', 'file:///etc', 'https://user:secret@x', 'https://x?key=secret', 'https://x#y'])(
    'S1-9: refuses the base %j without quoting it',
    (value) =>
      expect(() => normalizeCredentials({ ...key, openai_api_base: value })).toThrow(
        'openai_api_base must be an http or https URL without user, query or fragment',
      ),
  );

  it.each([
    [undefined, 300],
    ['300', 300],
    [45, 45],
    [' 60 ', 60],
    ['29', 30],
    ['-1', 30],
    ['901', 900],
    ['45.5', 300],
    [45.5, 300],
    ['abc', 300],
    ['', 300],
    [true, 300],
  ])('S1-10: request_timeout_seconds %j → %j s', (value, seconds) =>
    expect(normalizeCredentials({ ...key, request_timeout_seconds: value }).timeoutMs).toBe(seconds * 1_000),
  );

  it.each([
    [undefined, undefined],
    ['always', undefined],
    ['followed', 'followed'],
    ['never', undefined],
  ])('stream_when %j → %j', (value, expected) =>
    expect(normalizeCredentials({ ...key, stream_when: value }).streamWhen).toBe(expected),
  );

  it.each([
    [undefined, 1],
    ['0', 0],
    ['5', 5],
    ['6', 5],
    ['-1', 0],
    ['2.5', 1],
    ['', 1],
  ])('S1-11: max_retries %j → %j', (value, expected) =>
    expect(normalizeCredentials({ ...key, max_retries: value }).maxRetries).toBe(expected),
  );
});
