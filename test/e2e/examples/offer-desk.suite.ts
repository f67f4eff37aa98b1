import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ExampleStack } from './example-stack.js';

const PROGRAM = join(import.meta.dirname, '../../../examples/offer-desk/run.ts');

interface Offer {
  readonly asked: string;
  readonly items: readonly { readonly item_num: string }[];
  readonly offer: string | null;
  readonly apology: string | null;
}

/** Automates `examples/offer-desk/README.md`. */
export function offerDesk(stack: () => ExampleStack): void {
  /** The output of the program: the result of each step, and the answer below. */
  async function run(input: string): Promise<{ readonly steps: readonly string[]; readonly answer: Offer }> {
    const { stdout } = await execa('node', [PROGRAM, input], { env: { CAPSTAN_BASE_URL: stack().api.url } });
    const [steps = '', answer = ''] = stdout.split('\n\n', 2);
    const names = steps.split('\n').map((line) => line.slice(0, line.indexOf(':')));
    return { steps: names.toSorted(), answer: JSON.parse(answer) as Offer };
  }

  describe('an agent of several steps', () => {
    it('offers what it finds, a line for each item (S3-35)', async () => {
      const { steps, answer } = await run('roma tomatoes');
      expect(steps).toEqual(['describe', 'find', 'offer']);
      expect(answer).toMatchObject({ asked: 'roma tomatoes', apology: null });
      expect(answer.items.length).toBeGreaterThan(0);
      expect(answer.offer).toContain('Write one line for a customer about this item');
      for (const { item_num } of answer.items) expect(answer.offer).toContain(item_num);
    });

    it('says that there is none, and offers nothing (S3-35)', async () => {
      const { steps, answer } = await run('zzzzqqqq xxxyyy');
      expect(steps).toEqual(['apologise', 'describe', 'find']);
      expect(answer).toMatchObject({ items: [], offer: null });
      expect(answer.apology).toContain('Say that we have no zzzzqqqq xxxyyy.');
    });
  });
}
