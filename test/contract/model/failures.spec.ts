import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { callModel, shownText } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const { text, added, COMPLETED, CREATED } = scenes;
const streamed = {};
const blocking = { enable_stream: false };

async function fail(scene: Scene, options: object = {}, parameters: object = streamed) {
  provider.play(scene);
  const outcome = await callModel(
    { baseUrl: provider.baseUrl, ...options },
    { parameters: { ...parameters } },
  );
  if (outcome.error === null) throw new Error('the call did not fail');
  return { ...outcome, error: outcome.error };
}

describe.each([
  ['streamed', streamed],
  ['blocking', blocking],
])('a %s call that the provider refuses', (_mode, parameters) => {
  it.each<[string, number, object, string, boolean]>([
    ['L3', 400, { code: 'context_length_exceeded' }, 'context_length_exceeded', false],
    ['L3', 400, { param: 'temperature', code: 'unsupported_parameter' }, 'invalid_request', false],
    ['L3', 401, { code: 'invalid_api_key' }, 'invalid_credentials', false],
    ['L3', 403, {}, 'permission_denied', false],
    ['L3', 404, { code: 'model_not_found' }, 'model_not_found', false],
    ['L3', 429, { code: 'insufficient_quota' }, 'insufficient_quota', false],
    ['L1', 429, { code: 'rate_limit_exceeded' }, 'rate_limited', true],
    ['L4', 408, {}, 'request_timeout', true],
    ['L4', 500, {}, 'provider_unavailable', true],
    ['L4', 502, {}, 'provider_unavailable', true],
    ['L4', 503, {}, 'provider_unavailable', true],
    ['L4', 504, {}, 'provider_unavailable', true],
    ['L3', 307, {}, 'invalid_request', false],
  ])(
    '%s: status %d with %j fails as %s, after one request',
    async (_number, code, error, reason, retryable) => {
      const failed = await fail(
        scenes.status(code, error, { location: 'http://127.0.0.1:9/' }),
        {},
        parameters,
      );
      expect(failed.error).toMatchObject({ reason, retryable });
      expect(failed.error.details).toMatchObject({ status: code, requestId: 'req_1' });
      expect(failed.error.message).toMatch(new RegExp(`^\\[${code}\\] words of the provider`));
      expect(provider.requests).toHaveLength(1);
    },
  );

  it.each<[string, string, number | null]>([
    ['L1', '1', 1_000],
    ['L2', '600', 600_000],
    ['L2', 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['L2', '-3', null],
    ['L2', 'in a while', null],
  ])('%s: passes on Retry-After %j as %j ms, for any wait', async (_number, header, expected) => {
    const clock = { now: () => Date.parse('2026-01-01T00:00:00Z') };
    const scene = scenes.status(429, {}, { 'retry-after': header });
    const { error } = await fail(scene, { clock }, parameters);
    expect(error.retryAfterMs).toBe(expected);
  });

  it('L4: an error page instead of an error object fails by its status', async () => {
    const { error } = await fail(scenes.body('<html>bad gateway</html>', 'text/html', 502), {}, parameters);
    expect(error).toMatchObject({ reason: 'provider_unavailable', retryable: true });
  });

  it.each<[string, Scene]>([
    ['an HTML page', scenes.body('<html>welcome</html>', 'text/html')],
    ['nothing', scenes.body('', 'application/json')],
    ['nothing of no type', scenes.body('', 'text/plain')],
    ['the answer of another API', scenes.json({ choices: [] })],
    ['broken JSON', scenes.body('{"id": "resp_1", ', 'application/json')],
  ])('L22: success with %s is no answer', async (_case, scene) => {
    const { error } = await fail(scene, {}, parameters);
    expect(error).toMatchObject({ reason: 'invalid_response', retryable: true });
  });

  it('L5: a reset before the answer fails as a connection', async () => {
    const { error } = await fail(scenes.reset, {}, parameters);
    expect(error).toMatchObject({ reason: 'connection_failed', retryable: true });
  });

  it('L6: silence before the answer ends after the request time-out', async () => {
    const { error } = await fail(scenes.silence, { timeoutMs: 50 }, parameters);
    expect(error).toMatchObject({ reason: 'request_timeout', retryable: true });
    await provider.requests[0]?.closed;
  });

  it('L5: a port without a listener fails as a connection', async () => {
    const { error } = await callModel(
      { baseUrl: 'http://127.0.0.1:9/v1' },
      { parameters: { ...parameters } },
    );
    expect(error).toMatchObject({ reason: 'connection_failed', retryable: true });
  });

  it('L5: a failed TLS handshake fails as a connection', async () => {
    const baseUrl = provider.baseUrl.replace('http:', 'https:');
    const { error } = await callModel({ baseUrl }, { parameters: { ...parameters } });
    expect(error).toMatchObject({ reason: 'connection_failed', retryable: true });
  });

  it('L11: a response that says it failed is no answer', async () => {
    const said = { code: 'server_error', message: 'The model failed.' };
    const response = { ...scenes.COMPLETED_RESPONSE, status: 'failed', error: said };
    const scene =
      parameters === blocking ? scenes.json(response) : scenes.stream({ type: 'response.failed', response });
    const { error } = await fail(scene, {}, parameters);
    expect(error).toMatchObject({
      reason: 'response_failed',
      retryable: true,
      message: '[failed] The model failed. (code=server_error)',
      // S4-17: the usage of a failed call is kept.
      spent: { responseId: 'resp_1', model: 'gpt-5-test', usage: { input_tokens: 12, output_tokens: 5 } },
    });
  });

  it.each(['failed', 'cancelled', 'queued', 'in_progress'])(
    'L11: a response that is said to be completed and has the status %s is no answer',
    async (status) => {
      const response = { ...scenes.COMPLETED_RESPONSE, status, output_text: 'half' };
      const scene =
        parameters === blocking
          ? scenes.json(response)
          : scenes.stream({ type: 'response.completed', response });
      const { error } = await fail(scene, {}, parameters);
      expect(error).toMatchObject({ reason: 'response_failed', retryable: status === 'failed' });
    },
  );
});

describe('a stream that goes wrong', () => {
  it.each<[string, Scene, string]>([
    ['L9: ends before its last event', scenes.stream(CREATED, text('half')), 'truncated_stream'],
    ['L9: ends without any event', scenes.bytes(''), 'truncated_stream'],
    [
      'L9: is reset in the middle of an event',
      scenes.streamThenReset(CREATED, text('half')),
      'truncated_stream',
    ],
    [
      'L9: ends in the middle of an event',
      scenes.bytes(scenes.frame(text('half')), 'event: response.completed\ndata: {"type":"response.comp'),
      'malformed_event',
    ],
    [
      'L10: carries an event that is no JSON',
      scenes.bytes(scenes.frame(text('half')), 'data: {not json}\n\n', scenes.frame(COMPLETED)),
      'malformed_event',
    ],
    [
      'L9: says [DONE] without a last event',
      scenes.bytes(scenes.frame(text('half')), 'data: [DONE]\n\n'),
      'truncated_stream',
    ],
  ])('%s is a failed call that may be tried again', async (_case, scene, reason) => {
    const { error } = await fail(scene);
    expect(error).toMatchObject({ reason, retryable: true });
  });

  it('L9: shows what had come before it broke', async () => {
    expect(shownText(await fail(scenes.streamThenReset(text('ha'), text('lf'))))).toBe('half');
  });

  it.each<[string, object, boolean, string]>([
    [
      'rate_limit_exceeded',
      { code: 'rate_limit_exceeded' },
      true,
      '[error] words (code=rate_limit_exceeded)',
    ],
    ['insufficient_quota', { code: 'insufficient_quota' }, false, '[error] words (code=insufficient_quota)'],
    ['no code', { code: null }, true, '[error] words'],
    [
      'a nested error',
      { error: { code: 'invalid_prompt', message: 'nested' } },
      false,
      '[error] nested (code=invalid_prompt)',
    ],
    ['a sentence as its code', { code: 'you said hello' }, true, '[error] words'],
    ['no words', { message: null }, true, 'responses stream failed'],
  ])('L11: an error event with %s ends the call', async (_case, fields, retryable, message) => {
    const { error } = await fail(
      scenes.stream(text('a'), { type: 'error', message: 'words', ...fields }, COMPLETED),
    );
    const reason = message.includes('rate_limit_exceeded') ? 'rate_limited' : 'response_failed';
    expect(error).toMatchObject({ reason, retryable, message });
  });

  it('L11: an answer cut short for an unknown reason is not tried again', async () => {
    const response = { status: 'incomplete', incomplete_details: { reason: 'bored' } };
    const { error } = await fail(scenes.stream({ type: 'response.incomplete', response }));
    expect(error).toMatchObject({ reason: 'response_failed', retryable: false });
  });

  it.each<[string, Scene]>([
    ['sends nothing at all', scenes.silence],
    ['sends nothing but its headers', scenes.streamThenSilence()],
  ])('L6: is given up when the server %s, long before the request may end', async (_case, scene) => {
    const { error } = await fail(scene, { firstByteMs: 50, timeoutMs: 60_000, idleTimeoutMs: 60_000 });
    expect(error).toMatchObject({
      reason: 'first_byte_timeout',
      retryable: true,
      message: 'API connection failed: no answer within 0.05 s',
    });
    await provider.requests[0]?.closed;
  });

  it('L7: is given up when it falls silent while the model writes', async () => {
    const { error, deltas } = await fail(scenes.streamThenSilence(CREATED, text('half')), {
      idleTimeoutMs: 50,
    });
    expect(error).toMatchObject({ reason: 'idle_timeout', retryable: true });
    expect(deltas).toHaveLength(1);
    await provider.requests[0]?.closed;
  });

  it('L7: may be silent for longer while the model reasons, but not for ever', async () => {
    const scene = scenes.streamThenSilence(CREATED, added('reasoning'));
    const { error } = await fail(scene, { idleTimeoutMs: 10, timeoutMs: 100 });
    expect(error).toMatchObject({
      reason: 'idle_timeout',
      message: 'responses stream failed: silent for 0.1 s',
    });
  });
});

describe('the adapter', () => {
  it('shows nothing more once it is stopped', async () => {
    const caller = new AbortController();
    provider.play(scenes.stream(scenes.thought('\ud83c'), text('\ud83c'), COMPLETED));
    const { error, deltas } = await callModel({ baseUrl: provider.baseUrl }, {}, caller.signal, () =>
      caller.abort(),
    );
    expect(error).toMatchObject({ reason: 'aborted' });
    expect(deltas).toEqual([{ kind: 'thinking', content: '\ufffd' }]);
  });

  it('lets an error of its caller through unchanged and closes the stream', async () => {
    provider.play(scenes.streamThenSilence(text('a')));
    const mine = new RangeError('mine');
    const patient = { baseUrl: provider.baseUrl, timeoutMs: 600_000, idleTimeoutMs: 600_000 };
    const failed = callModel(patient, {}, undefined, () => {
      throw mine;
    });
    await expect(failed).rejects.toBe(mine);
    await provider.requests[0]?.closed;
  });

  it('refuses parameters before anything is sent', async () => {
    provider.play(scenes.silence);
    const { error } = await callModel(
      { baseUrl: provider.baseUrl },
      { parameters: { max_output_tokens: 0 } },
    );
    expect(error).toMatchObject({
      reason: 'invalid_parameters',
      retryable: false,
      message: 'max_output_tokens must be an integer between 1 and 128000',
    });
    expect(provider.requests).toHaveLength(0);
  });

  it('L6: gives up on a server that accepts and never speaks', async () => {
    const mute = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const { error } = await callModel({ baseUrl: `http://127.0.0.1:${port}/v1`, timeoutMs: 50 });
    expect(error).toMatchObject({ reason: 'request_timeout' });
    await new Promise((resolve) => mute.close(resolve));
  });
});
