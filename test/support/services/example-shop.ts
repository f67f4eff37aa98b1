import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../../examples/support-desk/shop/serve.mjs');

/** A refund that the shop has paid. */
export interface PaidRefund {
  readonly receipt: string;
  readonly order: string;
  readonly amount: string;
  /** The idempotency key of the request. */
  readonly key: string | null;
}

/** The shop of `examples/support-desk`, as a process of its own. */
export class ExampleShop {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(): Promise<ExampleShop> {
    const shop = spawn(process.execPath, [PROGRAM, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: shop.stdout }), 'line')) as [string];
    return new ExampleShop(url, shop);
  }

  async paid(): Promise<readonly PaidRefund[]> {
    return (await (await fetch(`${this.url}/refunds`)).json()) as PaidRefund[];
  }

  async close(): Promise<void> {
    this.process.kill();
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
  }
}
