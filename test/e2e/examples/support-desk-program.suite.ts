import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ApiClient } from '../../support/services/api-client.js';
import type { ExampleStack } from './example-stack.js';

const PROGRAM = join(import.meta.dirname, '../../../examples/support-desk/ask.ts');
const TIMEOUT_MS = 120_000;

/** The output of `ask.ts`: the decisions, the answer, its data, and the shop's payments. */
export async function runSupportDesk({ url }: ApiClient, ...args: string[]): Promise<string> {
  return (await execa('node', [PROGRAM, ...args], { env: { CAPSTAN_BASE_URL: url } })).stdout;
}

/** Automates `examples/support-desk/README.md`; each run registers a shop of its own. */
export function supportDeskProgram(stack: () => ExampleStack): void {
  it(
    'a support desk is what the program of the example shows',
    async () => {
      const { api } = stack();
      const agreed = await runSupportDesk(api, 'The lamp of order A-1001 arrived broken, please refund it.');
      expect(agreed).toMatch(/^agreed: refund \{.*"A-1001".*\n.*receipt R-1\.\n/);
      expect(agreed).toMatch(/paid by the shop: \[\{"receipt":"R-1"/);
      const refused = await runSupportDesk(api, 'Please refund my order A-1001.', '--refuse', 'not yet');
      expect(refused).toMatch(/^refused: refund .*\n.*ticket \d+\.\n/);
      expect(refused).toContain('paid by the shop: []');
    },
    TIMEOUT_MS,
  );
}
