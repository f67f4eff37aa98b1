import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ToolCatalogue } from './tool-catalogue.js';
import { defineTool, type ToolDefinition } from './tool-definition.js';

const plain = defineTool({
  name: 'weigh',
  label: 'weigh',
  description: 'Weighs.',
  effect: 'read',
  input: z.object({
    unit: z.string(),
    note: z.string().nullable(),
    tag: z.string().max(9).nullable(),
    amount: z.number(),
  }),
  timeoutMs: 1_000,
  run: async () => ({ result: { status: 'success', result: {} } }),
});
const start = (overrides: Partial<ToolDefinition>): ToolCatalogue =>
  new ToolCatalogue([{ ...plain, ...overrides }]);

describe('ToolCatalogue', () => {
  it('takes a definition without any of the optional fields', () => {
    expect(start({}).describe(['weigh'])).toMatchObject([{ name: 'weigh', strict: true }]);
  });

  it('tells the model which texts a parameter may be, nullable ones too (S0-36)', () => {
    const [tool] = start({ parameterOptions: { unit: ['kg'], note: ['a', 'b'], tag: ['c'] } }).describe([
      'weigh',
    ]);
    expect(tool?.parameters).toMatchObject({
      properties: {
        unit: { type: 'string', enum: ['kg'] },
        note: { type: ['string', 'null'], enum: ['a', 'b', null] },
        tag: { anyOf: [{ type: 'string', enum: ['c'] }, { type: 'null' }] },
        amount: { type: 'number' },
      },
    });
  });

  it.each<[string, Partial<ToolDefinition>, string]>([
    ['a name no model could call', { name: 'weigh it' }, 'name must be 1 to 64 letters'],
    ['an output of less than 1 024 bytes', { maxOutputBytes: 1_023 }, 'maxOutputBytes must be at least 1024'],
    [
      'an output of more than a megabyte',
      { maxOutputBytes: 1_048_577 },
      'maxOutputBytes must be at most 1048576',
    ],
    ['no time to run', { timeoutMs: 0 }, 'timeoutMs must be at least 1'],
    [
      'a parameter without an option',
      { parameterOptions: { unit: [] } },
      'parameterOptions.unit must name at least one',
    ],
    [
      'options of a parameter it has not',
      { parameterOptions: { size: ['s'] } },
      'options for "size", which is not a text',
    ],
    [
      'options of a number',
      { parameterOptions: { amount: ['1'] } },
      'options for "amount", which is not a text',
    ],
    ['options of what every object has', { parameterOptions: { toString: ['a'] } }, 'options for "toString"'],
  ])('refuses to start with %s, and says which', (_name, overrides, message) => {
    expect(() => start(overrides)).toThrow(message);
  });

  it('refuses two tools of one name', () => {
    expect(() => new ToolCatalogue([plain, plain])).toThrow('two tools are called "weigh"');
  });
});
