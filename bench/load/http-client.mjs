// @ts-check
import { Pool } from 'undici';

/** Status codes of a temporary refusal under load. */
const NO_ROOM = [429, 503];

/** A status other than 2xx. */
class AnsweredError extends Error {
  /** @param {string} message @param {number} statusCode */
  constructor(message, statusCode) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Whether the server had no room for the request. @param {unknown} error */
export function isRefusal(error) {
  return error instanceof AnsweredError && NO_ROOM.includes(error.statusCode);
}

/**
 * @typedef {object} LoadClient
 * @property {string} url base, without a path
 * @property {(path: string, body: unknown, headers?: Record<string, string>) => Promise<any>} post the answer's JSON;
 *   throws for every answer that is not 2xx
 * @property {(path: string, headers?: Record<string, string>) => Promise<any>} get
 * @property {(path: string) => Promise<import('undici').Dispatcher.ResponseData>} open an answer that is read as it comes
 * @property {() => Promise<void>} close
 */

/**
 * A client with keep-alive connections, light enough to run on the measured machine.
 * @param {string} url base, without a path
 * @param {number} connections
 * @returns {LoadClient}
 */
export function createLoadClient(url, connections) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const call = async (/** @type {any} */ options) => {
    const answer = await pool.request(options);
    if (answer.statusCode < 300) return answer;
    const { statusCode } = answer;
    const said = `${options.method} ${options.path} answered ${statusCode}: ${await answer.body.text()}`;
    throw new AnsweredError(said, statusCode);
  };
  return {
    url,
    post: async (path, body, headers = {}) => {
      const options = { path, method: 'POST', body: JSON.stringify(body) };
      const answer = await call({ ...options, headers: { 'content-type': 'application/json', ...headers } });
      const text = await answer.body.text();
      return text === '' ? null : JSON.parse(text);
    },
    get: async (path, headers = {}) => (await call({ path, method: 'GET', headers })).body.json(),
    open: (path) => call({ path, method: 'GET', headers: { accept: 'text/event-stream' } }),
    close: () => pool.destroy(),
  };
}
