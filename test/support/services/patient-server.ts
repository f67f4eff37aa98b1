import { createServer, type Server } from 'node:http';

/**
 * An HTTP server that never ends an idle connection. One that does may end it, when its process was busy, with the next
 * request already on its way: the caller gets a reset for a request that never arrived, which for an unsafe call is an
 * unknown outcome, as it should be, and for a test a failure by chance.
 */
export function createPatientServer(): Server {
  return createServer({ keepAliveTimeout: 0 });
}
