import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject } from '#libs/kernel';
import { callModel, shownText } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';
import { WIRES } from './wires.js';

let server: ScriptedProvider;
beforeAll(async () => {
  server = await ScriptedProvider.start();
});
afterAll(() => server.stop());

const wire = new Map(WIRES).get('anthropic');
if (wire === undefined) throw new Error('the provider has no wire');
const { begin, text, thought, call } = wire;
const end = () => wire.end();

function ask(scene: Scene | readonly Scene[], options: object = {}, request: object = {}) {
  server.play(...[scene].flat());
  const connection = { provider: 'anthropic', baseUrl: server.baseUrl, ...options };
  return callModel(connection, { model: 'claude-opus-5-5', ...request });
}

/** An error as the API sends it. */
const refusal =
  (status: number, type: string, message = 'words', headers: Record<string, string> = {}): Scene =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_2', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_2' }));
  };
const inStream = (type: string): Scene =>
  scenes.stream(...begin, text('half'), { type: 'error', error: { type, message: 'words' } });

describe('errors of the Messages API', () => {
  it.each<[number, string, string, string, boolean]>([
    [400, 'invalid_request_error', 'max_tokens: required', 'invalid_request', false],
    [
      400,
      'invalid_request_error',
      'prompt is too long: 9 tokens > 8 maximum',
      'context_length_exceeded',
      false,
    ],
    [
      ...([400, 'invalid_request_error'] as const),
      'Your credit balance is too low to access the API.',
      ...(['insufficient_quota', false] as const),
    ],
    [401, 'authentication_error', 'invalid x-api-key', 'invalid_credentials', false],
    [402, 'billing_error', 'no credit', 'insufficient_quota', false],
    [403, 'permission_error', 'not yours', 'permission_denied', false],
    [404, 'not_found_error', 'model: claude-0', 'model_not_found', false],
    [413, 'request_too_large', 'too many bytes', 'invalid_request', false],
    [429, 'rate_limit_error', 'too often', 'rate_limited', true],
    [500, 'api_error', 'internal', 'provider_unavailable', true],
    [529, 'overloaded_error', 'Overloaded', 'provider_unavailable', true],
  ])('%d %s, %s: fail as %s', async (status, type, message, reason, retryable) => {
    const { error } = await ask(refusal(status, type, message));
    expect(error).toMatchObject({ reason, retryable });
    expect(error?.message).toContain(`[${status}] ${message}`);
    expect(error?.details).toMatchObject({ requestId: 'req_2', apiErrorType: type });
  });

  it('L1: hand on how long to wait', async () => {
    const { error } = await ask(refusal(529, 'overloaded_error', 'Overloaded', { 'retry-after': '7' }));
    expect(error?.retryAfterMs).toBe(7_000);
  });

  it.each([
    ['overloaded_error', 'response_failed', true],
    ['api_error', 'response_failed', true],
    ['rate_limit_error', 'rate_limited', true],
    ['invalid_request_error', 'response_failed', false],
    ['authentication_error', 'response_failed', false],
  ])('in a stream, %s fails as %s', async (type, reason, retryable) => {
    const { error } = await ask(inStream(type));
    expect(error).toMatchObject({ reason, retryable });
    expect(error?.message).toContain('words');
  });
});

describe('an answer that the provider pauses', () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
  const usage = { input_tokens: 10, output_tokens: 2 };
  const paused = scenes.stream(
    ...[...begin, ...thought('hm'), text('One.')],
    { type: 'content_block_start', index: 2, content_block: search },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage },
  );
  const blocking = scenes.json({
    ...{ id: 'msg_1', type: 'message', model: 'm', stop_reason: 'pause_turn', usage },
    content: [{ type: 'text', text: 'One.' }, search],
  });

  it('is continued with what there is of it, and is one answer of all tokens', async () => {
    const rest = scenes.stream(...begin, text('Two.'), ...call('c1', 'search', '{}'), ...end());
    const outcome = await ask([paused, rest]);
    expect(server.requests).toHaveLength(2);
    const sent = server.requests.map(({ body }) => (isJsonObject(body) ? body['messages'] : null));
    const signed = { type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' };
    expect(sent[1]).toEqual([
      ...(Array.isArray(sent[0]) ? (sent[0] as readonly unknown[]) : []),
      { role: 'assistant', content: [signed, { type: 'text', text: 'One.' }, search] },
    ]);
    expect(outcome.answer).toMatchObject({
      text: 'One.\nTwo.',
      toolCalls: [{ callId: 'c1' }],
      providerItems: [signed, search],
      usage: { input_tokens: 22, output_tokens: 7, total_tokens: 29 },
    });
    expect(shownText(outcome)).toBe('One.\nTwo.');
  });

  it('is continued where it was not streamed', async () => {
    const rest = scenes.json(wire.body({ text: 'Two.' }));
    const { answer } = await ask([blocking, rest], {}, { parameters: { enable_stream: false } });
    expect(answer).toMatchObject({ text: 'One.\nTwo.', usage: { total_tokens: 29 } });
  });

  it('keeps its tokens where the continuation fails', async () => {
    const { error } = await ask([paused, refusal(529, 'overloaded_error')]);
    expect(error).toMatchObject({
      ...{ reason: 'provider_unavailable', retryable: true },
      spent: { usage: { total_tokens: 12 } },
    });
  });

  it('is not continued for ever', async () => {
    const { answer } = await ask(paused);
    expect(server.requests).toHaveLength(17);
    expect(answer?.usage?.total_tokens).toBe(17 * 12);
  });
});

describe('aliases of models', () => {
  const asked = async (model: string, options: object = {}) => {
    await ask(scenes.stream(...begin, ...end()), options, { model });
    const body = server.requests[0]?.body;
    return isJsonObject(body) ? body['model'] : null;
  };

  it.each([
    ['haiku', 'claude-haiku-5-5'],
    ['sonnet', 'claude-sonnet-5-5'],
    ['opus', 'claude-opus-5-5'],
    ['claude-haiku-4-5', 'claude-haiku-4-5'],
    ['toString', 'toString'],
  ])('S4-30: %s stands for %s', async (alias, id) => expect(await asked(alias)).toBe(id));

  it('S4-30: stand for what the operator set', async () => {
    const aliases = { haiku: 'claude-haiku-4-5', small: 'claude-haiku-5-5' };
    expect(await asked('haiku', { aliases })).toBe('claude-haiku-4-5');
    expect(await asked('small', { aliases })).toBe('claude-haiku-5-5');
    expect(await asked('opus', { aliases })).toBe('claude-opus-5-5');
  });
});
