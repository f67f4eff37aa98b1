import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { whenClosed, type Closing } from '#libs/http-server';

/** Created once, since creating an error for each request would dominate the cost. */
const OVER = new Error('the answer is over');

/** Long-lived requests: event streams, and submits that wait for a result. */
@Injectable()
export class LiveRequests implements BeforeApplicationShutdown {
  private readonly controllers = new Set<AbortController>();
  private isStopping = false;

  /** A signal that aborts when the client disconnects, the answer completes, or the server stops. */
  signalFor(response: Closing): AbortSignal {
    const controller = new AbortController();
    if (this.isStopping) controller.abort(OVER);
    this.controllers.add(controller);
    whenClosed(response, () => {
      this.controllers.delete(controller);
      controller.abort(OVER);
    });
    return controller.signal;
  }

  /** Streams end in order, so that clients resume at another process. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const controller of this.controllers) controller.abort(OVER);
  }
}

/**
 * Closes the server once every request is answered. Otherwise it waits 30 s for unused connections, which browsers open in
 * advance.
 */
export function closeUnusedConnections(instance: FastifyInstance): void {
  let openRequests = 0;
  let isClosing = false;
  const closeWhenUnused = (): void => {
    if (isClosing && openRequests === 0) instance.server.closeAllConnections();
  };
  instance.addHook('onRequest', (_request, reply, done) => {
    openRequests += 1;
    // `close` also fires when the client has disconnected, unlike the hook `onResponse`.
    whenClosed(reply.raw, () => {
      openRequests -= 1;
      closeWhenUnused();
    });
    done();
  });
  instance.addHook('preClose', (done) => {
    isClosing = true;
    // Deferred, since the server stops listening right after this hook.
    setImmediate(closeWhenUnused);
    done();
  });
}
