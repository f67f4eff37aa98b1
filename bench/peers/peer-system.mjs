// @ts-check
import { createLoadClient } from '../load/http-client.mjs';

/**
 * A system that runs the agent job.
 * @typedef {object} PeerSystem
 * @property {string} key
 * @property {string} title
 * @property {string} durable whether a run that was accepted survives the death of the process, in a word or two
 * @property {string} lacks what Capstan promises or does in this job and this system does not, in a few words
 * @property {Readonly<Record<string, string>>} packages what is installed for it, with exact versions
 * @property {(stage: import('./peer-stage.mjs').PeerStage) => Promise<OpenedSystem>} open
 */

/** @typedef {import('../measure/measure-runs.mjs').Runner} OpenedSystem */

const MAX_CONNECTIONS = 256;

/**
 * Requests to the HTTP server of `programs/serve-runs.mjs`.
 * @param {import('./peer-stage.mjs').PeerStage} stage
 * @param {string} url
 * @returns {Pick<OpenedSystem, 'once' | 'twice'>}
 */
export function askOverHttp(stage, url) {
  const client = createLoadClient(url, MAX_CONNECTIONS);
  stage.defer(() => client.close());
  const submit = (/** @type {string} */ path, /** @type {string} */ key) =>
    client.post(path, { input: 'hi' }, { 'idempotency-key': key });
  return {
    once: async (key) => (await submit('/run?wait', key)).output,
    twice: async (key) => (await client.get(`/run/${(await submit('/run', key)).id}`)).output,
  };
}
