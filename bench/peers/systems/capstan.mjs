// @ts-check
import { openWorld } from '../../services/bench-world.mjs';
import { LOOKUP_TOOL } from '../../programs/bench-tools.mjs';
import { makeAgent } from '../../services/make-agent.mjs';

/** Its data is the execution as it is read. */
const RESULT = /^event: result\ndata: (.*)\n\n/mu;

/**
 * Capstan from the built tree: API and worker as processes of their own, on a fresh database and queue.
 * @param {import('../../bench-arguments.mjs').Backend} backend
 * @returns {import('../peer-system.mjs').PeerSystem}
 */
export function capstan(backend) {
  return {
    key: `capstan-${backend}`,
    title: `Capstan, queue in ${backend === 'redis' ? 'Redis' : 'PostgreSQL'}`,
    durable: 'yes',
    packages: {},
    open: (stage) => open(stage, backend),
  };
}

/**
 * @param {import('../peer-stage.mjs').PeerStage} stage
 * @param {import('../../bench-arguments.mjs').Backend} backend
 * @returns {Promise<import('../peer-system.mjs').OpenedSystem>}
 */
async function open(stage, backend) {
  const { root, services, context } = stage;
  const world = await openWorld({ root, services, backend, context, isProfiled: false });
  stage.defer(() => world.close());
  const api = await world.startApi();
  await world.startWorker({
    OPENAI_BASE_URL: stage.modelUrl,
    BENCH_TOOL_URL: stage.toolUrl,
    WORKER_CONCURRENCY: String(stage.concurrency),
    // The others name no conversations: the model is asked for the job alone.
    TITLES: 'input',
  });
  const { executePath } = await makeAgent(api, 'gpt-5-mini', { tools: [LOOKUP_TOOL] });
  const submit = (/** @type {string} */ key, /** @type {Record<string, string>} */ headers) =>
    api.post(executePath, { input: 'hi' }, { 'idempotency-key': key, ...headers });
  return {
    pids: () => world.programs.map(({ pid }) => pid),
    once: async (key) => (await submit(key, { prefer: 'wait=60' })).result?.message.content,
    twice: async (key) => {
      const { id } = await submit(key, {});
      const events = await api.open(`/api/executions/${id}/events/`);
      return untilResult(events.body);
    },
  };
}

/**
 * Resolves at the result. The stream goes on until the session has its title: it is read to its end meanwhile, so that
 * its connection serves the next run.
 * @param {AsyncIterable<Uint8Array>} stream
 * @returns {Promise<string>}
 */
function untilResult(stream) {
  return new Promise((resolve, reject) => {
    const read = async () => {
      let text = '';
      for await (const chunk of stream) {
        text += Buffer.from(chunk).toString();
        const data = RESULT.exec(text)?.[1];
        if (data !== undefined) resolve(JSON.parse(data).result?.message.content);
      }
      throw new Error(`the events ended without a result: ${text.slice(-200)}`);
    };
    read().catch(reject);
  });
}
