import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { modelProviders } from '#libs/model-providers';
import { connectionTo } from '../../support/services/open-model.js';
import { callModel, shownText, type CallOutcome } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';
import { ASKED_PROVIDERS, WIRES } from './wires.js';

let server: ScriptedProvider;
beforeAll(async () => {
  server = await ScriptedProvider.start();
});
afterAll(() => server.stop());

const blocking = { enable_stream: false };

it('every provider that is asked has a wire here', () =>
  expect(WIRES.map(([provider]) => provider)).toEqual(ASKED_PROVIDERS));

describe.each(WIRES)('the provider %s', (provider, wire) => {
  function run(scene: Scene, parameters: object = {}, options: object = {}): Promise<CallOutcome> {
    server.play(scene);
    const connection = { provider, baseUrl: server.baseUrl, ...options };
    return callModel(connection, { parameters: { ...parameters } });
  }
  const stream = (...events: object[]) => scenes.stream(...wire.begin, ...events.flat());
  const { text, thought, call } = wire;

  it('asks at its own path, with the key', async () => {
    await run(stream(...wire.end()), {}, { apiKey: 'sk-mine' });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: wire.path,
      headers: wire.key('sk-mine'),
    });
    expect(server.requests.map(wire.isStreamed)).toEqual([true]);
    expect(`${server.requests[0]?.path} ${JSON.stringify(server.requests[0]?.body)}`).toContain('gpt-5');
  });

  it('shows an answer while it streams and restores it when it is whole', async () => {
    const { answer, deltas } = await run(
      stream(thought('hm'), text('he'), text('llo'), call('c1', 'search', '{}'), ...wire.end()),
    );
    expect(deltas.filter(({ kind }) => kind !== 'tool_call')).toEqual(scenes.HELLO_SHOWN);
    expect(answer).toEqual(scenes.helloAnswer(wire.kept('hm')));
  });

  it.each([
    ['S1-25: where enable_stream is off', blocking, false],
    ['from a server that ignores that it was asked to stream', {}, true],
  ])('shows an answer in one piece at once, %s', async (_case, parameters, asked) => {
    const { answer, deltas } = await run(
      scenes.json(wire.body({ text: 'hello', thinking: 'hm' })),
      parameters,
    );
    expect(server.requests.map(wire.isStreamed)).toEqual([asked]);
    expect(answer).toMatchObject({ text: 'hello', thinking: 'hm', usage: { total_tokens: 17 } });
    expect(deltas).toEqual([
      { kind: 'thinking', content: 'hm' },
      { kind: 'text', content: 'hello' },
    ]);
  });

  it.each([
    [false, { isFollowed: false, remainingMs: 60_000 }],
    [true, { isFollowed: true, remainingMs: 60_000 }],
    [true, { isFollowed: false, remainingMs: 4_000 }],
  ])(
    'with stream_when followed, asks for a stream: %j, for %j, and reads the same answer',
    async (isStreamed, limits) => {
      server.play(
        isStreamed
          ? stream(thought('hm'), text('hello'), ...wire.end())
          : scenes.json(wire.body({ text: 'hello', thinking: 'hm' })),
      );
      const connection = { provider, baseUrl: server.baseUrl, streamWhen: 'followed' } as const;
      const { answer } = await callModel(connection, {}, undefined, undefined, {
        ...limits,
        isLastTry: true,
      });
      expect(server.requests.map(wire.isStreamed)).toEqual([isStreamed]);
      expect(answer).toMatchObject({
        text: 'hello',
        thinking: 'hm',
        toolCalls: [],
        usage: { input_tokens: 12, output_tokens: 5, total_tokens: 17 },
        incompleteReason: null,
      });
    },
  );

  it.each(['max_output_tokens', 'content_filter'] as const)(
    'L11: keeps the text of an answer cut short by %s',
    async (reason) => {
      const expected = { text: 'half', incompleteReason: reason };
      expect((await run(stream(text('half'), ...wire.end({ reason })))).answer).toMatchObject(expected);
      const body = scenes.json(wire.body({ text: 'half', reason }));
      expect((await run(body, blocking)).answer).toMatchObject(expected);
    },
  );

  const whole = [text('a🍎b'), ...wire.end()].map(scenes.frame).join('');
  const raw = new TextEncoder().encode(whole);
  const insideApple = raw.findIndex((byte) => byte === 0xf0) + 2;
  it.each<[string, (string | Uint8Array)[]]>([
    ['L10: line ends of CRLF', [whole.replaceAll('\n', '\r\n')]],
    ['L10: a character cut in two', [raw.slice(0, insideApple), raw.slice(insideApple)]],
    ['L10: one packet a byte', Array.from(raw, (byte) => Uint8Array.of(byte))],
    ['L8: comments that keep the line open', [': ping\n\n', whole.replaceAll('\n\n', '\n\n: ping\n\n')]],
    ['L10: no event names', [whole.replaceAll(/event: .*\n/g, '')]],
    ['a last event without an empty line after it', [whole.trimEnd()]],
    ['a [DONE] at the end', [`${whole}data: [DONE]\n\n`]],
    ['L10: unknown events', [scenes.frame({ type: 'sparkle', delta: 'x' }), whole]],
  ])('understands a stream the same with %s', async (_case, chunks) => {
    const outcome = await run(scenes.bytes(...chunks));
    expect(outcome.answer).toMatchObject({ text: 'a🍎b', usage: { total_tokens: 17 } });
    expect(shownText(outcome)).toBe('a🍎b');
  });

  it.each([
    ['""', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['no JSON', '{"a'],
    ['__proto__', '{"__proto__":1}'],
  ])('L13, L21: carries tool arguments that are %s unchanged', async (_case, written) => {
    const { answer } = await run(stream(call('c', 'n', written), ...wire.end()));
    expect(answer?.toolCalls).toEqual([{ callId: 'c', toolName: 'n', arguments: written }]);
  });

  it('L14, L15, L19: carries fifty calls in their order, and two of one id under two ids', async () => {
    const many = Array.from({ length: 50 }, (_, index) => call(`c${index}`, `tool_${index}`, '{}'));
    const { answer } = await run(stream(...many, call('c0', 'again', '{}'), ...wire.end()));
    expect(answer?.toolCalls.map(({ callId }) => callId)).toEqual([
      ...many.map((_, index) => `c${index}`),
      'c0_51',
    ]);
    expect(answer?.toolCalls.at(-1)?.toolName).toBe('again');
  });

  it.each<[string, Parameters<typeof wire.end>[0]]>([
    ['missing', { usage: undefined }],
    ['null', { usage: null }],
    ['contradictory', { usage: wire.usage(1, 1, 5) }],
  ])('L20: never guesses usage that is %s', async (_case, change) =>
    expect((await run(stream(text('a'), ...wire.end(change)))).answer).toMatchObject({
      text: 'a',
      usage: null,
    }),
  );

  it.each<[string, Scene, string, boolean]>([
    ['a stream that was cut off', stream(text('half')), 'truncated_stream', true],
    ['a stream that was reset', scenes.streamThenReset(text('half')), 'truncated_stream', true],
    ['silence in a stream', scenes.streamThenSilence(text('half')), 'idle_timeout', true],
    ['a broken event', scenes.bytes('data: {"a\n\n'), 'malformed_event', true],
    ['an error in a stream', stream({ error: { code: 'x', message: 'y' } }), 'response_failed', true],
    ['a page', scenes.body('<html></html>', 'text/html'), 'invalid_response', true],
    ['an answer of another API', scenes.json({ generated_text: 'a' }), 'invalid_response', true],
    ['a refused key', scenes.status(401), 'invalid_credentials', false],
    ['an unknown model', scenes.status(404), 'model_not_found', false],
    ['a refused request', scenes.status(422), 'invalid_request', false],
    ['too many requests', scenes.status(429), 'rate_limited', true],
    ['an outage', scenes.status(503), 'provider_unavailable', true],
    ['a reset', scenes.reset, 'connection_failed', true],
  ])('fails with %s, after one request', async (_case, scene, reason, retryable) => {
    const { error } = await run(scene, {}, { idleTimeoutMs: 300 });
    expect(error).toMatchObject({ reason, retryable });
    expect(server.requests).toHaveLength(1);
  });

  it('names its own API where the provider gives no words for a failure', async () => {
    const { error } = await run(stream({ error: { code: 'x' } }));
    expect(error?.message).toContain(`${wire.streamName} failed`);
    const cut = await run(stream(text('half')));
    expect(cut.error?.message).toBe(`${wire.streamName} failed: it ended before the answer was complete`);
  });

  it('never sends what it cannot mean', async () => {
    const { error } = await run(scenes.silence, { max_output_tokens: 0.5 });
    expect(error).toMatchObject({ reason: 'invalid_parameters', retryable: false });
    expect(server.requests).toHaveLength(0);
  });
});

describe('a server that lists no models', () => {
  it.each([
    ['openai', false],
    ['openai_compatible', true],
    ['anthropic', true],
    ['bedrock', true],
  ])('says of a key of the provider %s that it is good: %j', async (provider, expected) => {
    server.play(scenes.status(404));
    const connection = connectionTo({ baseUrl: server.baseUrl });
    const { signal } = new AbortController();
    const check = await modelProviders.get(provider).checkCredentials(connection, signal);
    expect(check.ok).toBe(expected);
    server.play(scenes.status(401));
    expect(await modelProviders.get(provider).checkCredentials(connection, signal)).toMatchObject({
      ok: false,
      reason: 'invalid_credentials',
    });
  });
});

describe('a server of Chat Completions', () => {
  const wire = WIRES.find(([provider]) => provider === 'openai_compatible')?.[1];
  const ask = (scene: Scene, options: object = {}) => {
    server.play(scene);
    return callModel({ provider: 'openai_compatible', baseUrl: server.baseUrl, ...options });
  };

  it.each<[object, object]>([
    [{}, { stream_options: { include_usage: true } }],
    [{ stream_usage: false }, { stream: true }],
  ])('with the options %j is asked %j', async (options, expected) => {
    await ask(scenes.stream(...(wire?.end() ?? [])), { options });
    const body = server.requests[0]?.body;
    expect(body).toMatchObject(expected);
    expect(JSON.stringify(body).includes('stream_options')).toBe('stream_options' in expected);
  });

  it('with Azure’s dated APIs gets the key in their header, and the version', async () => {
    await ask(scenes.stream(...(wire?.end() ?? [])), {
      apiKey: 'azure-key',
      options: { api_version: '2024-10-21' },
    });
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions?api-version=2024-10-21');
    expect(request?.headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('may leave the stream open after the answer: its usage is waited for, but not for ever', async () => {
    const whole = wire?.end({ usage: undefined }) ?? [];
    const { answer } = await ask(scenes.streamThenSilence(wire?.text('a') ?? {}, ...whole), {
      idleTimeoutMs: 400,
    });
    expect(answer).toMatchObject({ text: 'a', usage: null });
  });

  it('may break off after the answer', async () => {
    const whole = wire?.end({ usage: undefined }) ?? [];
    const { answer } = await ask(scenes.streamThenReset(wire?.text('a') ?? {}, ...whole));
    expect(answer).toMatchObject({ text: 'a', usage: null });
  });
});
