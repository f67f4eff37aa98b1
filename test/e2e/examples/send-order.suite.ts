import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { reservePort } from '../../support/services/reserve-port.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { ExampleStack } from './example-stack.js';

const EXAMPLE = join(import.meta.dirname, '../../../examples/order-entry');
const TOKEN = 'ordering-token';

/** Automates the second half of `examples/order-entry/README.md`. */
export function sendOrder(stack: () => ExampleStack): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orders-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('a draft is corrected, confirmed and ordered, and is there after the ordering service was killed (S2-13, S2-15)', async () => {
    const port = await reservePort();
    const file = join(folder, 'orders.jsonl');
    const address = `http://127.0.0.1:${port}/orders`;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const serve = () => execa('node', [join(EXAMPLE, 'ordering-service/main.ts'), String(port), file]);
    const list = () => fetch(address, { headers }).then((answer) => (answer.ok ? answer.json() : null));
    const isUp = () => waitFor(() => list().catch(() => null), { description: 'the ordering service' });

    const service = serve();
    await isUp();
    const env = { CAPSTAN_BASE_URL: stack().api.url, ORDERING_SERVICE: address, ORDERING_TOKEN: TOKEN };
    const { stdout } = await execa('node', [join(EXAMPLE, 'send-order.ts')], { env });
    expect(stdout).toMatch(/^drafted: 5 × \S+\nsent: SO-1001$/);
    service.kill('SIGKILL');
    await service.catch(() => undefined);

    const again = serve();
    expect(await isUp()).toEqual({
      orders: [
        expect.objectContaining({
          order_number: 'SO-1001',
          order: { order_info: [expect.objectContaining({ quantity: 6, uom: 'CS' })] },
        }),
      ],
    });
    again.kill();
    await again.catch(() => undefined);
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(2);
  });
}
