// @ts-check
import { openAgentJob } from '../../services/agent-job.mjs';
import { openWorld } from '../../services/bench-world.mjs';

/**
 * Capstan from the build: API and worker as separate processes, on a new database and queue.
 * @param {import('../../bench-arguments.mjs').Backend} backend
 * @param {{isFollowed: boolean}} way whether the second of two requests follows the events of the run, with its text as it
 *   comes; the second request of other systems waits for the result
 * @returns {import('../peer-system.mjs').PeerSystem}
 */
export function capstan(backend, { isFollowed }) {
  const queue = `queue in ${backend === 'redis' ? 'Redis' : 'PostgreSQL'}`;
  return {
    key: `${isFollowed ? 'followed' : 'capstan'}-${backend}`,
    title: isFollowed
      ? `Capstan, ${queue}; the second of two requests follows the events`
      : `Capstan, ${queue}`,
    durable: 'yes',
    lacks: '',
    packages: {},
    open: async (stage) => {
      const { root, services, context, modelServer, concurrency } = stage;
      const world = await openWorld({ root, services, backend, context });
      stage.defer(() => world.close());
      const job = await openAgentJob(world, { modelServer, workers: 1, concurrency });
      return isFollowed ? { ...job, twice: job.followed } : job;
    },
  };
}
