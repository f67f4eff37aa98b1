import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

it.each(['ask-the-docs', 'order-entry', 'support-desk'])(
  'the tests of the example %s pass in this checkout',
  async (example) => {
    const { stdout } = await execa('npm', ['test'], { cwd: join(EXAMPLES, example) });
    expect(stdout).toMatch(/^. fail 0$/m);
    expect(stdout).toMatch(/^. pass [1-9]\d*$/m);
  },
);
