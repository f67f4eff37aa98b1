import type { ServerResponse } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { whenClosed } from '#libs/http-server';

/** Why: made once, since an error that is made for each request costs more than everything else here. */
const OVER = new Error('the answer is over');

/** The requests that stay open for long: event streams, and submits that wait for their result. */
@Injectable()
export class LiveRequests implements BeforeApplicationShutdown {
  private readonly controllers = new Set<AbortController>();
  private isStopping = false;

  /** A signal that aborts when the client goes away, when the answer is complete, or when the server stops. */
  signalFor(response: Pick<ServerResponse, 'once'>): AbortSignal {
    const controller = new AbortController();
    if (this.isStopping) controller.abort(OVER);
    this.controllers.add(controller);
    whenClosed(response, () => {
      this.controllers.delete(controller);
      controller.abort(OVER);
    });
    return controller.signal;
  }

  /** The streams end in order, and their clients resume at another process. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const controller of this.controllers) controller.abort(OVER);
  }
}

/**
 * Lets the server close as soon as every request has its answer. By itself it waits half a minute for connections on
 * which nothing was ever asked, such as a browser opens ahead of need.
 */
export function closeUnusedConnections(instance: FastifyInstance): void {
  let openRequests = 0;
  let isClosing = false;
  const closeWhenUnused = (): void => {
    if (isClosing && openRequests === 0) instance.server.closeAllConnections();
  };
  instance.addHook('onRequest', (_request, reply, done) => {
    openRequests += 1;
    // Comes also when the client has gone away, which the hook `onResponse` does not.
    whenClosed(reply.raw, () => {
      openRequests -= 1;
      closeWhenUnused();
    });
    done();
  });
  instance.addHook('preClose', (done) => {
    isClosing = true;
    // The server stops listening right after this hook.
    setImmediate(closeWhenUnused);
    done();
  });
}
