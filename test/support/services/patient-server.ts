import { createServer, type Server } from 'node:http';

/**
 * An HTTP server that never ends an idle connection. A timeout on a busy machine could end one with the next request on its
 * way: the caller gets a reset for a request that never arrived, which is an unknown outcome for an unsafe call, and a
 * random failure for a test.
 */
export function createPatientServer(): Server {
  return createServer({ keepAliveTimeout: 0 });
}
