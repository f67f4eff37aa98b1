import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPatientServer } from '../../support/services/patient-server.js';

/** A service whose one operation begins and never answers. */
export class HeldService {
  calls = 0;
  /** Addresses and headers of all requests. */
  readonly received: string[] = [];
  private constructor(
    private readonly server: Server,
    private readonly first: Promise<undefined>,
  ) {}

  static async listen(): Promise<HeldService> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const server = createPatientServer();
    const service = new HeldService(server, promise);
    server.on('request', ({ url, rawHeaders }) => {
      service.received.push([url, ...rawHeaders].join(' '));
      service.calls += 1;
      resolve(undefined);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get description(): object {
    const answers = { '200': { description: 'sent' } };
    return {
      openapi: '3.1.0',
      info: { title: 'Parcels', version: '1' },
      servers: [{ url: this.url }],
      paths: { '/parcels': { post: { operationId: 'send', summary: 'Sends a parcel', responses: answers } } },
    };
  }

  /** Resolves when the operation has been called. */
  called(): Promise<undefined> {
    return this.first;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
