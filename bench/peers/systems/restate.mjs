// @ts-check
import { join } from 'node:path';
import getPort from 'get-port';
import { createLoadClient } from '../../load/http-client.mjs';
import { childrenOf } from '../../measure/process-files.mjs';

const MAX_CONNECTIONS = 256;

/** @type {import('../peer-system.mjs').PeerSystem} */
export const restate = {
  key: 'restate',
  title: 'Restate, server and service',
  durable: 'yes',
  lacks: 'tenants, policy, live text, webhooks, audit, SQL over its runs by tenant',
  packages: { '@restatedev/restate-server': '1.7.12', '@restatedev/restate-sdk': '1.17.2', openai: '7.57.0' },
  open: async (stage) => {
    const { pids, ingress, admin } = await startServer(stage);
    // It supports HTTP/2 only; the registration below shows whether it is ready.
    const { url, pid } = await stage.start({
      name: 'restate-service',
      entry: 'restate-service.mjs',
      isSilent: true,
    });
    await register(admin, url);
    const client = createLoadClient(ingress, MAX_CONNECTIONS);
    stage.defer(() => client.close());
    const submit = (/** @type {string} */ path, /** @type {string} */ key) =>
      client.post(path, { input: 'hi' }, { 'idempotency-key': key });
    return {
      pids: () => [...pids(), pid],
      once: (key) => submit('/agent/run', key),
      twice: async (key) => {
        const { invocationId } = await submit('/agent/run/send', key);
        return client.get(`/restate/invocation/${invocationId}/attach`);
      },
    };
  },
};

/** @param {import('../peer-stage.mjs').PeerStage} stage */
async function startServer(stage) {
  const port = async () => `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
  const [ingress, admin, node] = [await port(), await port(), await port()];
  const binary = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const file = join(stage.folderOf('restate'), 'node_modules', binary, 'bin', 'restate-server');
  const { pid } = await stage.start({
    name: 'restate-server',
    entry: 'run-binary.mjs',
    args: [file, '--base-dir', stage.takeFolder()],
    env: {
      RESTATE_INGRESS__BIND_ADDRESS: ingress,
      RESTATE_ADMIN__BIND_ADDRESS: admin,
      RESTATE_BIND_ADDRESS: node,
      RESTATE_LOG_FILTER: 'warn',
      DO_NOT_TRACK: '1',
    },
    readyUrl: `http://${ingress}/restate/health`,
  });
  return { pids: () => childrenOf(pid), ingress: `http://${ingress}`, admin: `http://${admin}` };
}

/** @param {string} admin @param {string} uri of the service */
async function register(admin, uri) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri }),
    });
    if (answer.ok) return;
    if (attempt === 50) throw new Error(`Restate refused its service: ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
