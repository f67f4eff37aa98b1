import { Job, Queue, QueueEvents } from 'bullmq';
import { serveRuns } from './serve-runs.mjs';

const connection = { url: process.env.REDIS_URL };
const queue = new Queue('runs', { connection });
const events = new QueueEvents('runs', { connection });
events.setMaxListeners(10_000);

serveRuns({
  begin: (id, input) => queue.add('run', { input }, { jobId: id, attempts: 3 }),
  untilEnded: async (id) => (await Job.fromId(queue, id))?.waitUntilFinished(events, 60_000),
});
