import { describe, expect, it } from '@jest/globals';
import { readToolReturn } from './read-tool-return.js';

const success = { status: 'success', result: { message: 'saved', id: 5 } } as const;

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
    const staged = [{ kind: 'order_request.saved', data: { id: 5, note: 'a\0b' } }];
    const reading = readToolReturn({ result: success, bake: { savedOrderRequestId: 5 }, staged }, 2_000);
    expect(reading.bake).toEqual({ savedOrderRequestId: 5 });
    expect(reading.staged).toEqual([{ kind: 'order_request.saved', data: { id: 5, note: 'ab' } }]);
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
      const kept = what === 'bake' ? data : [{ kind: 'note.saved', data }];
      expect(() => readToolReturn({ result: success, [what]: kept }, 2_000)).toThrow();
    }
  });

  it.each([
    [undefined],
    [null],
    ['done'],
    [{}],
    [{ result: { status: 'ok', result: {} } }],
    [{ result: { status: 'success', result: 'done' } }],
    [{ result: success, outputs: [{ type: 'video', url: 'x' }] }],
    [{ result: success, staged: [{ data: {} }] }],
  ])('throws for %j', (returned) => {
    expect(() => readToolReturn(returned, 2_000)).toThrow();
  });
});
