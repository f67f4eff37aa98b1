/**
 * A client of the API of this environment.
 * @typedef {object} ApiClient
 * @property {(path: string) => Promise<any>} get
 * @property {(path: string, body: unknown) => Promise<any>} post
 * @property {(path: string) => Promise<void>} delete
 * @property {(path: string, headers: Record<string, string>) => Promise<Response>} stream an answer that is read while it
 *   arrives
 */

/** The API answered, and not with 2xx. Its message is one readable line. */
export class RefusedByApiError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.name = 'RefusedByApiError';
    this.status = status;
  }
}

/**
 * @param {string} baseUrl
 * @param {AbortSignal} [signal] ends every call
 * @returns {ApiClient} its calls throw `RefusedByApiError` for every answer that is not 2xx
 */
export function createApiClient(baseUrl, signal) {
  const call = async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(`${baseUrl}${path}`, { ...init, signal: signal ?? null });
    if (response.ok) return response;
    const reason = await readReason(response);
    throw new RefusedByApiError(
      `${init.method ?? 'GET'} ${path} answered ${response.status}: ${reason}`,
      response.status,
    );
  };
  return {
    get: async (path) => (await call(path)).json(),
    post: async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return (await call(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    },
    delete: async (path) => {
      await call(path, { method: 'DELETE' });
    },
    stream: (path, headers) => call(path, { headers }),
  };
}

/** @param {Response} response @returns {Promise<string>} */
async function readReason(response) {
  const text = await response.text();
  try {
    const problem = JSON.parse(text);
    return String(problem.detail ?? problem.title ?? text);
  } catch {
    return text.slice(0, 300);
  }
}
