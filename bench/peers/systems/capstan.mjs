// @ts-check
import { openAgentJob } from '../../services/agent-job.mjs';
import { openWorld } from '../../services/bench-world.mjs';

/**
 * Capstan from the build: API and worker as separate processes, on a new database and queue.
 * @param {import('../../bench-arguments.mjs').Backend} backend
 * @returns {import('../peer-system.mjs').PeerSystem}
 */
export function capstan(backend) {
  return {
    key: `capstan-${backend}`,
    title: `Capstan, queue in ${backend === 'redis' ? 'Redis' : 'PostgreSQL'}`,
    durable: 'yes',
    lacks: '',
    packages: {},
    open: async (stage) => {
      const { root, services, context, modelServer, concurrency } = stage;
      const world = await openWorld({ root, services, backend, context });
      stage.defer(() => world.close());
      return openAgentJob(world, { modelServer, workers: 1, concurrency });
    },
  };
}
