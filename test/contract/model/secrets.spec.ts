import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AuditLog, modelProviders } from '#libs/model-providers';
import { connectionTo } from '../../support/services/open-model.js';
import { callModel } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const KEY = 'sk-canary-key';
const ORGANIZATION = 'org-canary';
const request = {
  messages: [
    { role: 'system' as const, content: 'canary instruction' },
    { role: 'user' as const, content: 'canary prompt' },
    {
      role: 'assistant' as const,
      content: '',
      toolCalls: [{ id: 'c', name: 'search', arguments: '{"q":"canary argument"}' }],
    },
    { role: 'tool' as const, toolCallId: 'c', content: 'canary output' },
  ],
  tools: [
    {
      name: 'search',
      description: 'canary description',
      parameters: { type: 'object', properties: { canary: { type: 'string' } } },
      strict: false,
    },
  ],
};
const parameters = {
  response_format: 'json_schema',
  json_schema: { name: 'canary', schema: { type: 'object', title: 'canary schema' } },
  user: 'canary-user',
  stop: ['canary stop'],
};

/** Errors of a provider that echoes the prompt and the API key in every field. */
const echo = { message: `canary prompt ${KEY}`, code: `canary ${KEY}`, param: KEY, type: KEY };
const headers = { 'x-request-id': KEY, 'retry-after': 'canary' };
const echoing = (code: number) => scenes.status(code, echo, headers);
const response = { ...scenes.COMPLETED_RESPONSE, model: KEY };

const CHAT = { id: KEY, model: KEY };

const SCENES: [string, Scene][] = [
  ['success', scenes.stream({ type: 'response.completed', response })],
  ['a body', scenes.json(response)],
  ...[400, 401, 403, 404, 429, 500].map((code): [string, Scene] => [`status ${code}`, echoing(code)]),
  ['a chat completion', scenes.json({ ...CHAT, choices: [{ message: { content: 'canary answer' } }] })],
  ['a streamed chat completion', scenes.stream({ ...CHAT, choices: [{ delta: {}, finish_reason: 'stop' }] })],
  [
    'a chat completion that failed',
    scenes.stream({ ...CHAT, choices: [{ delta: {}, finish_reason: 'error', error: echo }] }),
  ],
  [
    'a message',
    scenes.json({ ...CHAT, type: 'message', content: [{ type: 'text', text: 'canary answer' }] }),
  ],
  ['a streamed message', scenes.stream({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })],
  ['a message that failed', scenes.json({ type: 'error', error: echo })],
  ['a page', scenes.body(`<html>${KEY}</html>`, 'text/html')],
  ['an error event', scenes.stream({ ...echo, type: 'error' })],
  ['a nested error event', scenes.stream({ type: 'error', error: echo })],
  ['a failed response', scenes.stream({ type: 'response.failed', response: { error: echo, status: KEY } })],
  [
    'an odd ending',
    scenes.stream({ type: 'response.incomplete', response: { incomplete_details: { reason: KEY } } }),
  ],
  ['a truncated stream', scenes.stream(scenes.text('canary answer'))],
  ['a broken event', scenes.bytes(`data: {${KEY}\n\n`)],
  ['a reset', scenes.reset],
  ['a reset stream', scenes.streamThenReset(scenes.text(KEY))],
  ['silence', scenes.silence],
  ['silence in a stream', scenes.streamThenSilence(scenes.text(KEY))],
];

describe.each([
  ['openai', 'responses_api', 'streamed', {}],
  ['openai', 'responses_api', 'blocking', { enable_stream: false }],
  ['openai_compatible', 'chat_completions_api', 'streamed', {}],
  ['openai_compatible', 'chat_completions_api', 'blocking', { enable_stream: false }],
  ['anthropic', 'messages_api', 'streamed', {}],
  ['anthropic', 'messages_api', 'blocking', { enable_stream: false }],
  ['bedrock', 'messages_api', 'streamed', {}],
])('S1-47: with the provider %s, in %s, a %s call', (asked, api, _mode, mode) => {
  it.each(SCENES)(
    'leaves no secret in audit log, error or console when the provider plays %s',
    async (_name, scene) => {
      const lines: string[] = [];
      const output = watchOutput();
      provider.play(scene);
      const { error } = await callModel(
        {
          provider: asked,
          baseUrl: provider.baseUrl,
          apiKey: KEY,
          organization: ORGANIZATION,
          timeoutMs: 60,
          idleTimeoutMs: 60,
          audit: new AuditLog({ enabled: true, write: (line) => lines.push(line) }),
        },
        { ...request, parameters: { ...parameters, ...mode } },
      );
      const said = [lines, error?.details, String(error?.cause), output.stop()];
      expect(JSON.stringify(said)).not.toMatch(/canary/i);
      // An error may quote the tenant's prompt to the tenant's own clients (S4-37), but never the API key.
      expect(`${error?.message} ${error?.stack}`).not.toContain(KEY);
      expect(lines.map((line) => /"event":"(\w+)"/.exec(line)?.[1])).toEqual([
        `${api}_request`,
        error === null ? `${api}_success` : `${api}_error`,
      ]);
    },
  );
});

describe('the audit log', () => {
  async function audited(scene: Scene, callParameters: object, options: object = {}) {
    const lines: unknown[] = [];
    provider.play(scene);
    const write = (line: string): number => lines.push(JSON.parse(line.replace('openai_gpt5_audit ', '')));
    await callModel(
      { baseUrl: provider.baseUrl, audit: new AuditLog({ enabled: true, write }), ...options },
      { ...request, parameters: { ...callParameters } },
    );
    return lines;
  }

  it('S1-46: reports what was asked and how it ended', async () => {
    const lines = await audited(scenes.stream(scenes.text('a'), scenes.COMPLETED), {
      ...parameters,
      max_output_tokens: 64,
    });
    const audit_id = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(lines).toEqual([
      {
        event: 'responses_api_request',
        audit_id,
        model: 'gpt-5',
        response_format: 'json_schema',
        enable_stream: true,
        stream: true,
        input_message_count: 4,
        tool_count: 1,
        max_output_tokens: 64,
        has_user: true,
        has_stop: true,
        base_url_host: new URL(provider.baseUrl).host,
        use_custom_base_url: true,
      },
      {
        event: 'responses_api_success',
        audit_id,
        model: 'gpt-5',
        response_model: 'gpt-5-test',
        request_id: 'req_1',
        stream: true,
        stream_event_count: 2,
      },
    ]);
  });

  it('S1-46: reports how a call failed', async () => {
    const error = { code: 'unsupported_parameter', param: 'tools[0].name', type: 'invalid_request_error' };
    const [, failure] = await audited(scenes.status(400, error), {});
    expect(failure).toMatchObject({
      event: 'responses_api_error',
      error_type: 'invalid_request',
      status_code: 400,
      request_id: 'req_1',
      code: 'unsupported_parameter',
      param: 'tools[0].name',
      api_error_type: 'invalid_request_error',
    });
  });

  it('S1-45: knows only an error when nothing was sent', async () => {
    const lines = await audited(scenes.silence, { verbosity: 'canary' });
    expect(lines).toEqual([expect.objectContaining({ event: 'responses_api_error', param: 'verbosity' })]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('S1-44: is silent when it is switched off', async () => {
    const lines: string[] = [];
    provider.play(scenes.stream(scenes.COMPLETED));
    const audit = new AuditLog({ enabled: false, write: (line) => lines.push(line) });
    await callModel({ baseUrl: provider.baseUrl, audit });
    expect(lines).toEqual([]);
  });
});

describe('a check of credentials', () => {
  const connection = (timeoutMs = 20_000) =>
    connectionTo({ apiKey: KEY, baseUrl: provider.baseUrl, timeoutMs });
  const asked = modelProviders.get('openai');
  const signal = new AbortController().signal;

  it('S1-37: of the provider asks for its models', async () => {
    provider.play(scenes.json({ object: 'list', data: [] }));
    await expect(asked.checkCredentials(connection(), signal)).resolves.toEqual({ ok: true });
    expect(provider.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
  });

  it('S1-38: of a model sends it a ping', async () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    provider.play(scenes.json({ ...scenes.COMPLETED_RESPONSE, ...cut }));
    await expect(asked.checkModel(connection(), 'gpt-5', signal)).resolves.toEqual({ ok: true });
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/responses',
      body: {
        model: 'gpt-5',
        input: 'ping',
        stream: false,
        max_output_tokens: 16,
        text: { format: { type: 'text' } },
        store: false,
      },
    });
  });

  it.each<[string, Scene, string]>([
    ['401', echoing(401), 'invalid_credentials'],
    ['403', echoing(403), 'permission_denied'],
    ['404', echoing(404), 'model_not_found'],
    ['a page', scenes.body(`<html>${KEY}</html>`, 'text/html'), 'invalid_response'],
    ['nothing', scenes.body(''), 'invalid_response'],
    ['a reset', scenes.reset, 'connection_failed'],
    ['silence', scenes.silence, 'request_timeout'],
  ])('S1-37, S1-38: fails safely when the provider plays %s', async (_case, scene, reason) => {
    provider.play(scene);
    const timeoutSeconds = scene === scenes.silence ? 60 : undefined;
    const checks = [
      await asked.checkCredentials(connection(timeoutSeconds), signal),
      await asked.checkModel(connection(timeoutSeconds), 'gpt-5', signal),
    ];
    expect(checks).toEqual([
      expect.objectContaining({ ok: false, reason }),
      expect.objectContaining({ ok: false, reason }),
    ]);
    expect(JSON.stringify(checks)).not.toContain(KEY);
  });

  it('S1-38: of a model fails when the response says so', async () => {
    provider.play(
      scenes.json({ ...scenes.COMPLETED_RESPONSE, status: 'failed', error: { code: 'server_error' } }),
    );
    await expect(asked.checkModel(connection(), 'gpt-5', signal)).resolves.toMatchObject({
      ok: false,
      reason: 'response_failed',
    });
  });
});

/** Records all writes to the console, stdout and stderr until `stop`, which returns them. */
function watchOutput() {
  const written: string[] = [];
  const note = (...parts: unknown[]): boolean => written.push(parts.map(String).join(' ')) > 0;
  const spies = [
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation((...parts: unknown[]) => void note(...parts)),
    ),
    jest.spyOn(process.stdout, 'write').mockImplementation(note),
    jest.spyOn(process.stderr, 'write').mockImplementation(note),
  ];
  return {
    stop: (): string[] => {
      spies.forEach((spy) => spy.mockRestore());
      return written;
    },
  };
}
