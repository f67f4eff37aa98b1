import { identifyProcess } from './process-identity.mjs';
import { hasModelProvider } from './service-environment.mjs';

/**
 * Everything that `.local/addresses.json` says about a running environment.
 * @param {object} options
 * @param {Readonly<Record<string, string>>} options.settings
 * @param {import('./port-plan.mjs').PortPlan} options.ports
 * @param {{url: string, pid: number | null}} options.database
 * @param {import('./local-services.mjs').LocalServices} options.services
 * @returns {import('./addresses.mjs').Addresses}
 */
export function describeAddresses({ settings, ports, database, services }) {
  const api = baseUrl(ports.api);
  const command = { name: 'command', identity: identifyProcess(process.pid) };
  const processes = [command, ...services.list()].flatMap(({ name, identity }) =>
    identity === null ? [] : [{ name, pid: identity.pid, startedAt: identity.startedAt }],
  );
  const pids = Object.fromEntries(processes.map(({ name, pid }) => [name, pid]));
  return {
    api,
    docs: `${api}/docs`,
    worker: baseUrl(ports.worker),
    simulator: hasModelProvider(settings) ? null : `${baseUrl(ports.simulator)}/v1`,
    database: database.url,
    redis: settings.REDIS_URL ?? null,
    pids: database.pid === null ? pids : { ...pids, postgres: database.pid },
    processes,
  };
}

/** @param {number} port */
export function baseUrl(port) {
  return `http://127.0.0.1:${port}`;
}
