import { describe, expect, it } from '@jest/globals';
import { Script } from 'node:vm';
import { redactText } from './redact-secrets.js';

const R = '***REDACTED***';

describe('redactText', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-abc123XYZ.', `Incorrect API key provided: ${R}`],
    ['Incorrect API key provided: sk-12345***********6789 here', `Incorrect API key provided: ${R} here`],
    ['Authorization: Bearer abcdef123456', `Authorization: Bearer ${R}`],
    ['got {"api_key": "hunter22", "model": "m"}', `got {"api_key": "${R}", "model": "m"}`],
    ['password=hunter2&user=me', `password=${R}&user=me`],
    ['postgres://me:hunter2@db/x', `postgres://${R}@db/x`],
    ['git+https://:hunter2@host/x', `git+https://${R}@host/x`],
    ['my_client-secret: hunter2', `my_client-secret: ${R}`],
    ['id AKIAABCDEFGHIJKLMNOP', `id ${R}`],
    ['jwt that was cut eyJhbGciOiJIUzI1NiJ9', `jwt that was cut ${R}`],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', `jwt ${R}`],
  ])('%s', (text, expected) => expect(redactText(text)).toBe(expected));

  it.each([
    'Rate limit reached for model-5 in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000.',
    "Unsupported parameter: 'temperature' is not supported with this model.",
    'maximum context length is 400000 tokens',
    'the task-force met',
  ])('leaves %j as it is', (text) => expect(redactText(text)).toBe(text));

  it('hides known secrets of any form', () =>
    expect(redactText('you sent my-very-own-word', ['my-very-own-word', ''])).toBe(`you sent ${R}`));

  it.each([
    'a',
    'a-',
    'sk-',
    'eyJ-',
    'eyJaaaaaaaaaaaa.',
    'token ',
    'token= ',
    'my-',
    '://a:',
    'bearer ',
    'a+b:',
    ' ',
  ])('takes time in proportion to a text of %j, again and again', (part) => {
    const text = part.repeat(300_000);
    // A time limit that a pattern with nested loops exceeds by minutes; only a VM timeout ends a synchronous loop.
    const script = new Script('result = redact(text)');
    const sandbox = { redact: redactText, text, result: '' };
    script.runInNewContext(sandbox, { timeout: 10_000 });
    expect(sandbox.result.length).toBeGreaterThan(0);
  });
});
