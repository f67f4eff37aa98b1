import { describe, expect, it } from '@jest/globals';
import { EffectRecorder } from './effect-recorder.js';

const CALL = { tool: 'charge', input: {}, key: 'a' };
const answer = (): Response => Response.json({ ok: true });

describe('recorder of effects', () => {
  it('assigns each effect to the run that began last', () => {
    const ledger = ['earlier'];
    const recorder = new EffectRecorder({ effects: () => ledger });
    recorder.begin(CALL);
    ledger.push('first');
    recorder.begin({ ...CALL, key: 'b' });
    ledger.push('second', 'third');
    expect(recorder.runs().map(({ effects }) => effects)).toEqual([['first'], ['second', 'third']]);
  });

  it.each([
    ['GET', {}, []],
    ['POST', {}, ['POST https://a.example/', 'POST https://a.example/']],
    ['POST', { 'idempotency-key': 'k' }, ['POST https://a.example/']],
  ])('counts the effects of two equal requests: %s with %j', async (method, headers, effects) => {
    const recorder = new EffectRecorder({ fetch: answer });
    recorder.begin(CALL);
    for (let count = 0; count < 2; count += 1)
      expect(await (await recorder.fetch('https://a.example/', { method, headers })).json()).toEqual({
        ok: true,
      });
    expect(recorder.runs()[0]?.effects).toEqual(effects);
  });

  it('refuses a request that the test does not answer, with the option that would', async () => {
    await expect(new EffectRecorder({}).fetch('https://a.example/')).rejects.toThrow(
      'no `fetch` in the options of the test answers GET https://a.example/',
    );
  });
});
