import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Test } from '@jest/test-result';
import type Sequencer from '@jest/test-sequencer';
import type { TestSequencerOptions } from '@jest/test-sequencer';

// Its types are those of its CommonJS form.
const BaseSequencer = (
  createRequire(import.meta.url)('@jest/test-sequencer') as { default: typeof Sequencer.default }
).default;

/**
 * Runs the files in an order that differs from run to run, so that what one leaves behind is found. Jest draws the seed and
 * prints it with `--showSeed`; `--seed <number>` repeats an order.
 */
export default class SeededOrder extends BaseSequencer {
  private readonly seed: number;
  private readonly root: string;

  constructor(options: TestSequencerOptions) {
    super(options);
    this.seed = options.globalConfig.seed;
    this.root = options.globalConfig.rootDir;
  }

  override sort(tests: Test[]): Test[] {
    const placed = tests.map((test) => ({
      test,
      place: placeOf(relative(this.root, test.path), this.seed),
    }));
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ test }) => test);
  }
}

/** The place does not depend on the machine or on other files. Pure. */
export function placeOf(file: string, seed: number): string {
  return createHash('sha256').update(`${seed} ${file}`).digest('hex');
}
