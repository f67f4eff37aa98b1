import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Dispatcher } from 'undici';
import { openModel } from '../../../../test/support/services/open-model.js';

/** A server that takes requests and never answers. */
class SilentServer extends Dispatcher {
  override dispatch(): boolean {
    return true;
  }
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('gives a whole answer half of the time that is left', async () => {
  const model = openModel({
    baseUrl: 'https://model.test/v1',
    timeoutMs: 300_000,
    streamWhen: 'followed',
    dispatcher: new SilentServer(),
  });
  const request = {
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    parameters: {},
  } as const;
  const limits = { remainingMs: 100_000, isLastTry: false, isFollowed: false };
  const ending = model
    .call(request, () => undefined, new AbortController().signal, limits)
    .catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(300_000);
  expect(await ending).toMatchObject({
    reason: 'request_timeout',
    retryable: true,
    details: { silenceMs: 50_000 },
  });
});
