import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineTool } from './define-tool.js';

const define = (input: z.ZodType) =>
  defineTool({
    name: 'weigh',
    label: 'weigh',
    description: 'Weighs.',
    effect: 'read',
    input,
    timeoutMs: 1_000,
    run: async () => ({ result: { status: 'success', result: {} } }),
  });

describe('defineTool', () => {
  it('derives the JSON Schema, at every depth closed', () => {
    const input = z.object({ unit: z.string(), lines: z.array(z.object({ note: z.string().nullable() })) });
    expect(define(input).inputSchema).toEqual({
      type: 'object',
      properties: {
        unit: { type: 'string' },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { note: { type: ['string', 'null'] } },
            required: ['note'],
            additionalProperties: false,
          },
        },
      },
      required: ['unit', 'lines'],
      additionalProperties: false,
    });
  });

  it('says which fields are optional, those with a default too', () => {
    const input = z.object({ a: z.string(), b: z.string().optional(), c: z.number().default(3) });
    expect(define(input).inputSchema['required']).toEqual(['a']);
    expect(define(input).readInput?.({ a: 'x' })).toEqual({ success: true, data: { a: 'x', c: 3 } });
  });

  it('leaves open what says that it is', () => {
    const input = z.object({ labels: z.record(z.string(), z.string()), rest: z.looseObject({}) });
    expect(define(input).inputSchema).toMatchObject({
      properties: {
        labels: { additionalProperties: { type: 'string' } },
        rest: { additionalProperties: {} },
      },
    });
  });

  it('derives the reader, which names each field that is wrong', () => {
    const tool = define(z.object({ unit: z.enum(['kg']), lines: z.array(z.object({ amount: z.number() })) }));
    expect(tool.readInput?.({ unit: 'kg', lines: [{ amount: 2 }] })).toMatchObject({ success: true });
    expect(tool.readInput?.({ unit: 'g', lines: [{ amount: 'two' }] })).toEqual({
      success: false,
      reasons: [expect.stringMatching(/^unit: /), expect.stringMatching(/^lines\.0\.amount: /)],
    });
  });

  it('refuses what JSON Schema cannot say, and names the tool', () => {
    expect(() => define(z.object({ at: z.date() }))).toThrow(
      'the input of the tool "weigh" cannot be written as JSON Schema',
    );
  });
});
