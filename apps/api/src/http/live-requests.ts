import type { ServerResponse } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { whenClosed } from '#libs/http-server';

/** The requests that stay open for long: event streams, and submits that wait for their result. */
@Injectable()
export class LiveRequests implements BeforeApplicationShutdown {
  readonly #controllers = new Set<AbortController>();
  #isStopping = false;

  /** A signal that aborts when the client goes away, when the answer is complete, or when the server stops. */
  signalFor(response: Pick<ServerResponse, 'once'>): AbortSignal {
    const controller = new AbortController();
    if (this.#isStopping) controller.abort();
    this.#controllers.add(controller);
    whenClosed(response, () => {
      this.#controllers.delete(controller);
      controller.abort();
    });
    return controller.signal;
  }

  /** The streams end in order, and their clients resume at another process. */
  beforeApplicationShutdown(): void {
    this.#isStopping = true;
    for (const controller of this.#controllers) controller.abort();
  }
}
