import type { FastifyInstance } from 'fastify';
import { whenClosed } from '#libs/http-server';

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
