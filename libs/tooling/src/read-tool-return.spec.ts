import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { strictSchema } from './domains/message-data-schemas.js';
import { readToolReturn } from './read-tool-return.js';
import type { KeptData } from './tool-definition.js';

const success = { status: 'success', result: { message: 'saved', id: 5 } } as const;

const jsonObject = z.record(z.string(), z.unknown()) as unknown as KeptData['baked'];
/** Data that the tools' domain declares. */
const KEEPS: KeptData = {
  baked: strictSchema({ receiptId: z.number().int() }, 'only receiptId'),
  staged: new Map([['receipt.saved', z.object({ id: z.number(), note: z.string().exactOptional() })]]),
};

describe('readToolReturn', () => {
  it('lets the model read the whole result as JSON (S2-21)', () => {
    expect(readToolReturn({ result: success }, 2_000)).toEqual({
      output: '{"status":"success","result":{"message":"saved","id":5}}',
      result: success,
      deliveries: [],
      bake: undefined,
      staged: [],
    });
  });

  it('lets the model read the texts of the outputs where there are any (3.D-11)', () => {
    const outputs = [
      { type: 'text', text: 'hello' },
      { type: 'link', url: 'https://example.com' },
    ];
    const reading = readToolReturn({ result: success, outputs }, 2_000);
    expect(reading.output).toBe('helloresult link: https://example.com. please tell user to check it.');
    expect(reading.result).toEqual(success);
    expect(reading.deliveries).toHaveLength(1);
  });

  it('keeps what is to be baked and staged', () => {
    const staged = [{ kind: 'receipt.saved', data: { id: 5, note: 'a\0b' } }];
    const reading = readToolReturn({ result: success, bake: { receiptId: 5 }, staged }, 2_000, KEEPS);
    expect(reading.bake).toEqual({ receiptId: 5 });
    expect(reading.staged).toEqual([{ kind: 'receipt.saved', data: { id: 5, note: 'ab' } }]);
  });

  it('keeps the status of a result that is too long, wherever the tool put it', () => {
    const result = { result: { message: 'x'.repeat(1_000_000) }, status: 'error' };
    const reading = readToolReturn({ result }, 2_000);
    expect(reading.result).toMatchObject({
      status: 'error',
      result: { message: expect.stringMatching(/^x+\[cut\]$/) },
    });
    expect(reading.output.length).toBeLessThanOrEqual(2_000);
  });

  it.each(['bake', 'staged'])('throws where %s is too large to be kept, or never ends', (what) => {
    const loop: Record<string, unknown> = {};
    Object.assign(loop, { one: loop, other: loop });
    for (const data of [{ text: 'x'.repeat(1_048_576) }, loop]) {
      const kept = what === 'bake' ? data : [{ kind: 'receipt.saved', data }];
      const anything = { baked: jsonObject, staged: new Map([['receipt.saved', jsonObject]]) };
      expect(() => readToolReturn({ result: success, [what]: kept }, 2_000, anything)).toThrow(
        /^(bake|staged) has more|circular/,
      );
    }
  });

  it.each<[string, object, RegExp]>([
    ['a key that its domain does not declare', { bake: { receiptId: 5, total: 7 } }, /total: only receiptId/],
    ['a value of another type', { bake: { receiptId: 'five' } }, /receiptId: /],
    ['something that is no object', { bake: [5] }, /not declared/],
    ['a staged change that its domain does not apply', { staged: [{ kind: 'gone', data: {} }] }, /"gone"/],
    [
      'a staged change that its applier cannot read',
      { staged: [{ kind: 'receipt.saved', data: { id: 'five' } }] },
      /"receipt.saved" is not as declared: id: /,
    ],
  ])('throws where a tool leaves behind %s (S2-5)', (_what, kept, message) => {
    expect(() => readToolReturn({ result: success, ...kept }, 2_000, KEEPS)).toThrow(message);
  });

  it.each([{ bake: { receiptId: 5 } }, { staged: [{ kind: 'receipt.saved', data: {} }] }])(
    'throws where a tool without a domain leaves behind %j',
    (kept) => {
      expect(() => readToolReturn({ result: success, ...kept }, 2_000)).toThrow(
        expect.objectContaining({ code: 'TOOL_RETURN_UNDECLARED' }),
      );
    },
  );

  it.each([
    [undefined],
    [null],
    ['done'],
    [{}],
    [{ result: { status: 'ok', result: {} } }],
    [{ result: { status: 'success', result: 'done' } }],
    [{ result: success, outputs: [{ type: 'video', url: 'x' }] }],
    [{ result: success, staged: [{ data: {} }] }],
  ])('throws for %j, which is no result of a tool (S2-16)', (returned) => {
    expect(() => readToolReturn(returned, 2_000)).toThrow();
  });
});
