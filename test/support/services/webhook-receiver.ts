import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPatientServer } from './patient-server.js';

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver on the loopback address that records deliveries and answers them with the given codes, then with 204. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  readonly answers: number[] = [];
  /** Body of its answers; 204 has none. */
  body = '';

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<WebhookReceiver> {
    const server = createPatientServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        receiver.received.push({ headers: request.headers as Record<string, string>, body });
        const status = receiver.answers.shift() ?? 204;
        response.writeHead(status).end(status === 204 ? '' : receiver.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
