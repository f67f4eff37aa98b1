import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPatientServer } from '../../support/services/patient-server.js';
import { waitFor } from '../../support/services/wait-for.js';

/** The part of the first answer that is sent: none, its head, or its head and half of its text. */
export type HeldAt = 'nothing' | 'head' | 'half';

/** A page with a first answer that never ends. Every later request gets the whole page. */
export class HeldPage {
  private readonly server = createPatientServer();
  /** The number of requests so far. */
  asked = 0;
  private isHeld = false;

  private constructor(
    private readonly text: string,
    private readonly heldAt: HeldAt,
  ) {
    this.server.on('request', (_request, response: ServerResponse) => {
      this.asked += 1;
      if (this.asked === 1) this.hold(response);
      else response.writeHead(200, this.headers).end(this.text);
    });
  }

  static async open(text: string, heldAt: HeldAt): Promise<HeldPage> {
    const page = new HeldPage(text, heldAt);
    await once(page.server.listen(0, '127.0.0.1'), 'listening');
    return page;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/page.md`;
  }

  /** Resolves when the first answer has come to its held point. */
  async untilHeld(): Promise<void> {
    await waitFor(() => this.isHeld, { description: 'the page to be asked for' });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private get headers(): Record<string, string> {
    return { 'content-type': 'text/markdown', 'content-length': String(Buffer.byteLength(this.text)) };
  }

  private hold(response: ServerResponse): void {
    const done = (): void => {
      this.isHeld = true;
    };
    if (this.heldAt === 'nothing') {
      done();
      return;
    }
    response.writeHead(200, this.headers);
    if (this.heldAt === 'head') {
      response.flushHeaders();
      done();
    } else response.write(this.text.slice(0, this.text.length / 2), done);
  }
}
