import { expect, it } from '@jest/globals';
import { ModelHostUnavailableError } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { ToolsAwayError } from '#libs/tooling';
import { waitBehind } from './wait-behind.js';

const failure = (code: string, retryable: boolean) =>
  new AppError({ code, kind: 'unavailable', message: 'not now', retryable });

it.each<[string, unknown, object | null]>([
  [
    'the host of the model',
    new ModelHostUnavailableError(5_000),
    { kind: 'provider_backoff', name: 'a-model', delayMs: 5_000 },
  ],
  [
    'a tool server',
    new ToolsAwayError('crm', 'crm is away', null),
    { kind: 'tool_server', name: 'crm', message: 'crm is away', delayMs: null },
  ],
  ['any source of tools', new ToolsAwayError(null, 'late', null), { kind: 'tool_server', name: null }],
  [
    'what finds passages',
    failure('RETRIEVAL_FAILED', true),
    { kind: 'provider_backoff', name: null, message: 'not now' },
  ],
  ['nothing, where it would fail again', failure('RETRIEVAL_FAILED', false), null],
  ['nothing outside', failure('STORAGE', true), null],
  ['nothing, where it is a fault', new Error('no'), null],
])('an aborted attempt waits for: %s', (_name, error, expected) => {
  const wait = waitBehind(error, 'a-model');
  if (expected === null) expect(wait).toBeNull();
  else expect(wait).toMatchObject(expected);
});
