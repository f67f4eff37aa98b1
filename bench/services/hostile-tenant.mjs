// @ts-check
import fc from 'fast-check';
import { hostileDescription } from '../../test/support/hostile/hostile-descriptions.ts';
import { hostileDocument } from '../../test/support/hostile/hostile-documents.ts';

/** Status codes by which the service refuses input. */
const REFUSED = new Set([400, 409, 413, 415, 422, 429, 503]);

/**
 * A tenant that submits hostile descriptions, documents and tool servers, and runs an agent with a hostile model.
 * @typedef {object} HostileTenant
 * @property {(seed: number) => Promise<void>} attack one of each kind
 * @property {Record<string, number>} statuses how often each status was answered, by kind
 */

/**
 * @param {object} tenant
 * @param {string} tenant.api base URL
 * @param {string} tenant.key
 * @param {string} tenant.services base URL of `hostile-services.mjs`
 * @param {number} tenant.datasourceId
 * @returns {HostileTenant}
 */
export function openHostileTenant({ api, key, services, datasourceId }) {
  /** @type {Record<string, number>} */
  const statuses = {};
  /** @param {string} kind @param {string} path @param {any} body @param {string} [method] @returns {Promise<any>} */
  const send = async (kind, path, body, method = 'POST') => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(!isForm && body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const name = `${kind} ${answer.status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
    const text = await answer.text();
    if (!answer.ok && !REFUSED.has(answer.status)) throw new Error(`${name}: ${text.slice(0, 500)}`);
    return answer.ok && text !== '' ? JSON.parse(text) : null;
  };
  const describe = async (/** @type {number} */ seed) => {
    const [document] = fc.sample(hostileDescription, { seed, numRuns: 1 });
    const server = { name: `d${seed}`, type: 'openapi', config: { document, base_url: services } };
    const made = await send('description', '/api/mcp-servers/', server);
    if (made !== null) await send('description probe', `/api/mcp-servers/${made.id}/probe/`, {});
    if (made !== null) await send('description removal', `/api/mcp-servers/${made.id}/`, null, 'DELETE');
  };
  const upload = async (/** @type {number} */ seed) => {
    const [document] = fc.sample(hostileDocument, { seed, numRuns: 1 });
    if (document === undefined) return;
    const form = new FormData();
    form.set('datasource_id', String(datasourceId));
    form.set('file', new Blob([new Uint8Array(document.bytes)]), document.name);
    await send('document', '/api/documents/', form);
  };
  const run = async (/** @type {number} */ seed) => {
    const name = `h${seed}`;
    const server = await send('tool server', '/api/mcp-servers/', {
      ...{ name, type: 'http', config: { url: `${services}/mcp/${seed}` } },
    });
    if (server === null) return;
    await send('tool server probe', `/api/mcp-servers/${server.id}/probe/`, {});
    const credentials = { api_base: `${services}/v1`, auth: 'none' };
    const llm = await send('llm', '/api/llms/', {
      name,
      provider: 'openai_compatible',
      model: 'hostile',
      credentials,
    });
    const agent = await send('agent', '/api/agents/', {
      ...{ name, usecase_type: 'BASIC_CHAT', llm: llm.id, tools: { servers: [`mcp__${name}__*`] } },
      config: { enable_stream: false, maximum_iterations: 4 },
    });
    if (agent === null) return;
    const submitted = await send('execution', `/api/agents/${agent.id}/execute/`, { input: name });
    for (let look = 0; submitted !== null && look < 300; look += 1) {
      const { status } = await send(
        'execution read',
        `/api/executions/${submitted.execution_id}/`,
        null,
        'GET',
      );
      if (!['queued', 'running'].includes(status)) {
        statuses[`execution ${status}`] = (statuses[`execution ${status}`] ?? 0) + 1;
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await send('steps', `/api/executions/${submitted?.execution_id}/steps/`, null, 'GET');
    await send('tool server removal', `/api/mcp-servers/${server.id}/`, null, 'DELETE');
  };
  const attack = async (/** @type {number} */ seed) => {
    await Promise.all([describe(seed), upload(seed), run(seed)]);
  };
  return { attack, statuses };
}
