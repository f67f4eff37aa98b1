import { expect, it } from '@jest/globals';
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { Encodings } from './load-encoding.js';

/** Number of event loop turns until `work` is done. */
async function turnsUntil(work: Promise<void>): Promise<number> {
  let [turns, isDone] = [0, false];
  const done = work.finally(() => (isDone = true));
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await done;
  return turns;
}

it('loads an encoding in many steps, once for all that ask at the same time, and as the package has it', async () => {
  const encodings = new Encodings();
  const [first, second] = [encodings.load('cl100k_base'), encodings.load('cl100k_base')];
  expect(await turnsUntil(Promise.all([first, second]).then(() => undefined))).toBeGreaterThanOrEqual(20);
  const encoding = encodings.get('cl100k_base');
  const { bytePairRankDecoder } = (
    encoding as unknown as { bytePairEncodingCoreProcessor: { bytePairRankDecoder: unknown } }
  ).bytePairEncodingCoreProcessor;
  expect(JSON.stringify(bytePairRankDecoder) === JSON.stringify(cl100k)).toBe(true);
  await encodings.load('cl100k_base');
  expect(encodings.get('cl100k_base')).toBe(encoding);
});

it('loads one in one piece where it is asked for before', () => {
  expect(new Encodings().get('o200k_base').countTokens('お誕生日おめでとう')).toBe(8);
});
