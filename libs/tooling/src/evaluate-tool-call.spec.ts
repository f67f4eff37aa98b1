import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readByZod } from './input-reader.js';
import { evaluateToolCall } from './evaluate-tool-call.js';
import { ToolCatalogue } from './tool-catalogue.js';
import { defineTool } from './define-tool.js';
import type { ToolDefinition } from './tool-definition.js';

const weigh = (overrides: Partial<ToolDefinition> = {}): ToolDefinition => ({
  ...defineTool({
    name: 'weigh',
    label: 'weigh',
    description: 'Weighs.',
    effect: 'read',
    input: z.object({ unit: z.string(), amount: z.number().nullable() }),
    parameterOptions: { unit: ['1', 'kg'] },
    timeoutMs: 1_000,
    run: async () => ({ result: { status: 'success', result: {} } }),
  }),
  ...overrides,
});

const evaluate = (toolName: string, args: string, tool = weigh(), offered: readonly string[] = ['weigh']) =>
  evaluateToolCall({ toolName, arguments: args }, new ToolCatalogue([tool]).pick(offered));

describe('evaluateToolCall', () => {
  it('lets a call run whose arguments fit, with the options as texts (S0-36)', () => {
    expect(evaluate('weigh', '{"unit": 1, "amount": null}')).toEqual({
      kind: 'run',
      effect: 'read',
      input: { unit: '1', amount: null },
      needsApproval: false,
      onUnknown: 'halt',
    });
  });

  it.each([
    [
      'parse error before missing tool (S0-34, 3.D-2)',
      'nonsense',
      '{',
      'tool arguments parse error: tool arguments must be valid JSON object',
    ],
    [
      'non-object (S0-34, S1-78)',
      'weigh',
      '[]',
      'tool arguments parse error: tool arguments must be a JSON object',
    ],
    ['missing tool (S0-35, S1-69)', 'nonsense', '{}', 'there is not a tool named nonsense', 'unknown_tool'],
    [
      'option mismatch before schema (S0-36, S1-70)',
      'weigh',
      '{"unit": "g"}',
      `tool arguments validation error: parameter 'unit' value "g" not in options ["1","kg"]`,
    ],
  ])('refuses with the fixed text: %s', (_name, toolName, args, output, reason = 'invalid_arguments') => {
    expect(evaluate(toolName, args)).toEqual({ kind: 'refuse', reason, output });
  });

  it.each([
    ['is not JSON', '{', 'Invalid JSON for weigh: tool arguments must be valid JSON object'],
    ['is JSON of another shape', '[]', 'Invalid parameters for weigh: tool arguments must be a JSON object'],
  ])(
    'answers a call of a tool of a domain whose text %s as such tools answer (S2-34, S2-37)',
    (_name, args, message) => {
      expect(evaluate('weigh', args, weigh({ answersWith: 'result' }))).toEqual({
        kind: 'refuse',
        reason: 'invalid_arguments',
        output: JSON.stringify({ status: 'error', result: { message } }),
      });
    },
  );

  it('refuses a tool that exists but is not offered to this agent (S0-35)', () => {
    expect(evaluate('weigh', '{}', weigh(), [])).toEqual({
      kind: 'refuse',
      reason: 'unknown_tool',
      output: 'there is not a tool named weigh',
    });
  });

  it('refuses what the schema refuses and says which field (S2-37)', () => {
    const verdict = evaluate('weigh', '{"unit": "kg", "amount": "much"}');
    const refusal = '{"status":"error","result":{"message":"Invalid parameters for weigh: amount: ';
    expect(verdict).toMatchObject({
      kind: 'refuse',
      reason: 'invalid_arguments',
      output: expect.stringMatching(new RegExp(`^${refusal}.*"}}$`)),
    });
  });

  it('keeps every refusal short, for any arguments', () => {
    const strict = weigh({
      readInput: (given) => readByZod(z.strictObject({}), given),
      parameterOptions: {},
    });
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key_${index}`, index]));
    const long = 'x'.repeat(200_000);
    for (const verdict of [
      evaluate('weigh', JSON.stringify(keys), strict),
      evaluate(long, '{}'),
      evaluate('weigh', `{"unit": "${long}"}`),
    ]) {
      expect(JSON.stringify(verdict).length).toBeLessThan(5_000);
    }
  });

  it.each([
    [undefined, false],
    ['never', false],
    ['always', true],
    [(input: unknown) => JSON.stringify(input).includes('kg'), true],
    [(input: unknown) => JSON.stringify(input).includes('piece'), false],
  ] as const)('waits for a person when the rule %s says so: %s', (approval, needsApproval) => {
    const tool = approval === undefined ? weigh() : weigh({ approval });
    expect(evaluate('weigh', '{"unit": "kg", "amount": 1}', tool)).toMatchObject({ needsApproval });
  });

  it('waits for a person when the rule throws', () => {
    const approval = (): boolean => {
      throw new Error('broken rule');
    };
    expect(evaluate('weigh', '{"unit": "kg", "amount": 1}', weigh({ approval }))).toMatchObject({
      needsApproval: true,
    });
  });

  it.each(['halt', 'ask', 'inform'] as const)('says what follows an unknown outcome: %s', (onUnknown) => {
    expect(evaluate('weigh', '{"unit": "kg", "amount": 1}', weigh({ onUnknown }))).toMatchObject({
      onUnknown,
    });
  });
});
