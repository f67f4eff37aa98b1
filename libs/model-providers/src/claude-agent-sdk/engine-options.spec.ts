import { describe, expect, it } from '@jest/globals';
import { buildMessagesRequest } from '../wire/messages/build-messages-request.js';
import { engineOptions, listedTools } from './engine-options.js';

const PLACE = { folder: '/run/one', sessionId: 'c5b1', isResumed: false };

function built(parameters = {}, model = 'claude-opus-5-5') {
  const parameterSchema = { type: 'object', properties: { query: { type: 'string' } } };
  return buildMessagesRequest({
    model,
    messages: [
      { role: 'system', content: 'Use the skill "letters" first.\n\nYou work for a shop.\n\n# Workspace' },
      { role: 'user', content: 'hello' },
    ],
    tools: [{ name: 'search', description: 'finds', parameters: parameterSchema, strict: false }],
    parameters: { prompt_cache: 'off', ...parameters },
    stream: true,
  });
}

describe('engineOptions (S4-5)', () => {
  it('gives the model the prompt and the tools of this service, and nothing else', () => {
    expect(engineOptions(built(), PLACE)).toEqual({
      model: 'claude-opus-5-5',
      cwd: '/run/one',
      // The layers of S4-6 and S4-7, in their order.
      systemPrompt: 'Use the skill "letters" first.\n\nYou work for a shop.\n\n# Workspace',
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      mcpServersDelivery: 'initialize',
      permissionMode: 'dontAsk',
      permissionPrompts: 'none',
      allowedTools: ['mcp__capstan'],
      includePartialMessages: true,
      verbatimPrompts: true,
      sessionId: 'c5b1',
    });
    expect(listedTools(built())).toEqual([
      {
        name: 'search',
        description: 'finds',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ]);
  });

  it('takes up a session with earlier messages', () => {
    const made = engineOptions(built(), { ...PLACE, isResumed: true });
    expect([made['resume'], made['sessionId']]).toEqual(['c5b1', undefined]);
  });

  it.each([
    ['claude-opus-5-5', { reasoning_effort: 'low' }, { thinking: { type: 'adaptive' }, effort: 'low' }],
    ['claude-opus-5-5', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [
      'claude-sonnet-4-5',
      { reasoning_effort: 'low' },
      { thinking: { type: 'enabled', budgetTokens: 4_096 } },
    ],
  ])('%s reasons as %j asks', (model, parameters, expected) =>
    expect(engineOptions(built(parameters, model), PLACE)).toMatchObject(expected),
  );

  it.each([true, false])('asks in words for an answer by a schema, strict: %j', (strict) => {
    const json_schema = { name: 'a', strict, schema: { type: 'object', properties: {} } };
    const made = engineOptions(built({ response_format: 'json_schema', json_schema }), PLACE);
    expect(
      JSON.stringify(made['systemPrompt']).match(/Answer with nothing but one JSON value/g),
    ).toHaveLength(1);
  });
});
