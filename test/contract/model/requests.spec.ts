import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '#libs/agent-core';
import { defaultModelParameters } from '#libs/model-providers';
import fc from 'fast-check';
import { callModel } from './call-model.js';
import { officialRequestSchema } from './official-request.schema.js';
import { ScriptedProvider } from './scripted-provider.js';
import * as scenes from './scenes.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.play(scenes.stream(scenes.COMPLETED));
});

const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const tool = { name: 'search', description: 'finds', parameters: schema, strict: true };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };

async function sent(request: Partial<ModelRequest>) {
  await callModel({ baseUrl: provider.baseUrl }, request);
  return officialRequestSchema.parse(provider.requests[0]?.body);
}

describe('the request that is sent', () => {
  it.each<[string, Partial<ModelRequest>, object]>([
    ['bare', {}, { model: 'gpt-5', stream: true, store: false, text: { format: { type: 'text' } } }],
    [
      'S1-77: with all defaults',
      { parameters: { ...defaultModelParameters() }, tools: [tool] },
      {
        max_output_tokens: 8192,
        reasoning: { effort: 'medium', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
        text: { format: { type: 'text' }, verbosity: 'medium' },
        tool_choice: 'auto',
        parallel_tool_calls: true,
        stream: true,
        tools: [{ type: 'function', ...tool }],
      },
    ],
    [
      'S1-24: with a JSON schema',
      { parameters: { response_format: 'json_schema', json_schema: { name: 'x', schema } } },
      { text: { format: { type: 'json_schema', name: 'x', schema, strict: true } } },
    ],
    [
      'with sampling, stop and user',
      { parameters: { temperature: 0.2, top_p: 0.5, stop: ['END'], user: 'u' } },
      { temperature: 0.2, top_p: 0.5, truncation: 'disabled', user: 'u' },
    ],
    [
      'with the reasoning of the round before, in front of its calls',
      {
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'c', name: 'search', arguments: '' }],
            providerItems: [reasoning],
          },
          { role: 'tool', toolCallId: 'c', content: 'found' },
        ],
      },
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
          reasoning,
          { type: 'function_call', call_id: 'c', name: 'search', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'found' },
        ],
      },
    ],
  ])('fits the API: %s', async (_case, request, expected) =>
    expect(await sent(request)).toMatchObject(expected),
  );

  it('fits the API for any conversation', async () => {
    const words = fc.string({ unit: 'binary', maxLength: 8 });
    const id = fc.constantFrom('a', 'b', ' ', '\u0000');
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: words }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: words,
        toolCalls: fc.array(fc.record({ id, name: id, arguments: words }), { maxLength: 2 }),
        providerItems: fc.constant([reasoning]),
      }),
      fc.record({ role: fc.constant('tool' as const), toolCallId: id, content: words }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        provider.play(scenes.stream(scenes.COMPLETED));
        await sent({ messages });
      }),
      { numRuns: 60 },
    );
  });

  it('never leans on what the provider stored', async () => {
    const request = await sent({});
    expect(request.store).toBe(false);
    expect(Object.keys(request)).not.toContain('previous_response_id');
  });
});

describe('the headers that are sent', () => {
  const NAMES = [
    'OPENAI_API_KEY',
    'OPENAI_ORG_ID',
    'OPENAI_PROJECT_ID',
    'OPENAI_BASE_URL',
    'OPENAI_ADMIN_KEY',
  ];
  afterEach(() => {
    for (const name of NAMES) Reflect.deleteProperty(process.env, name);
  });

  it('S1-8: carry key and organization', async () => {
    await callModel({ baseUrl: provider.baseUrl, apiKey: 'sk-mine', organization: 'org-mine' });
    expect(provider.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/responses',
      headers: { authorization: 'Bearer sk-mine', 'openai-organization': 'org-mine' },
    });
  });

  it('carry nothing from the environment', async () => {
    for (const name of NAMES) process.env[name] = 'http://canary.invalid';
    await callModel({ baseUrl: provider.baseUrl });
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(provider.requests[0]?.headers)).not.toContain('canary');
  });
});
