// @ts-check
import { LOOKUP_TOOL } from '../programs/bench-tools.mjs';
import { makeAgent } from './make-agent.mjs';

/** The data is the execution as the API shows it. */
const RESULT = /^event: result\ndata: (.*)\n\n/mu;

/**
 * The service, ready for the agent job: model answer, HTTP tool call, model answer.
 * @typedef {object} AgentJob
 * @property {import('../load/http-client.mjs').LoadClient} api
 * @property {() => number[]} pids of API and workers
 * @property {() => Promise<unknown>} submit answers when the run is accepted
 * @property {(key: string) => Promise<unknown>} once `Prefer: wait`; answers what the run said
 * @property {(key: string) => Promise<unknown>} twice submits, and reads the run with `Prefer: wait`
 * @property {(key: string) => Promise<unknown>} followed submits, and follows the events until the result
 */

/**
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @param {object} job
 * @param {string} job.modelServer of `start-fake-model.mjs`
 * @param {number} job.workers beside the API; 0: one process that is both
 * @param {number} job.concurrency of each worker
 * @returns {Promise<AgentJob>}
 */
export async function openAgentJob(world, { modelServer, workers, concurrency }) {
  const env = {
    OPENAI_BASE_URL: `${modelServer}/v1`,
    BENCH_TOOL_URL: `${modelServer}/tool`,
    WORKER_CONCURRENCY: String(concurrency),
    // The model is called only for the job, since other systems generate no titles.
    TITLES: 'input',
  };
  const api = workers === 0 ? await world.startWhole(env) : await world.startApi();
  for (let worker = 1; worker <= workers; worker += 1) await world.startWorker(env);
  const { executePath } = await makeAgent(api, 'gpt-5-mini', {
    tools: [LOOKUP_TOOL],
    // The other systems ask for whole answers. A run that is followed streams nevertheless.
    credentials: { stream_when: 'followed' },
  });
  const submit = (/** @type {string} */ key, /** @type {Record<string, string>} */ headers) =>
    api.post(executePath, { input: 'hi' }, { 'idempotency-key': key, ...headers });
  const wait = { prefer: 'wait=60' };
  return {
    api,
    submit: () => api.post(executePath, { input: 'hi' }),
    pids: () => world.programs.map(({ pid }) => pid),
    once: async (key) => (await submit(key, wait)).result?.message.content,
    twice: async (key) => {
      const { id } = await submit(key, {});
      return (await api.get(`/api/executions/${id}/`, wait)).result?.message.content;
    },
    followed: async (key) => {
      const { id } = await submit(key, {});
      const events = await api.open(`/api/executions/${id}/events/`);
      return untilResult(events.body);
    },
  };
}

/**
 * Resolves at the result. The rest of the stream, until the session title, is read in the background, so that the connection
 * can be reused.
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
