import { describe, expect, it } from '@jest/globals';
import { intervalAfter, waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('returns the first truthy answer', async () => {
    const answers = [undefined, null, 'there'];

    const found = await waitFor(() => answers.shift(), { description: 'an answer', intervalMs: 1 });

    expect(found).toBe('there');
  });

  it('takes an error as "not yet"', async () => {
    const answers = [() => Promise.reject(new Error('refused')), () => Promise.resolve(7)];

    const found = await waitFor(() => answers.shift()?.(), { description: 'an answer', intervalMs: 1 });

    expect(found).toBe(7);
  });

  it('asks less often the longer it has waited', () => {
    expect([0, 200, 1_000, 90_000].map(intervalAfter)).toEqual([20, 20, 100, 1_000]);
  });

  it('says after the limit what it waited for and what it saw last', async () => {
    const waiting = waitFor(() => false, { description: 'the execution to settle', timeoutMs: 0 });

    await expect(waiting).rejects.toThrow(
      'Waited 0 ms in vain for: the execution to settle. Last seen: false',
    );
  });

  it('gives the last error as cause', async () => {
    const refusal = new Error('refused');

    const waiting = waitFor(() => Promise.reject(refusal), { description: 'an answer', timeoutMs: 0 });

    await expect(waiting).rejects.toMatchObject({ cause: refusal });
  });
});
