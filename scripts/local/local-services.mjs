import { waitUntilReady } from './readiness.mjs';
import { describeExit } from './service-failure.mjs';
import { startService } from './service-process.mjs';
import { withProgress } from './terminal.mjs';

const STOP_GRACE_MS = 10_000;

/** @typedef {'simulator' | 'api' | 'worker'} ServiceName */

/**
 * Who is notified of what the services do on their own.
 * @typedef {object} ServiceWatch
 * @property {(name: ServiceName, line: string) => void} onLine each line of output
 * @property {(name: ServiceName, message: string) => void} onUnexpectedExit one ended without having been asked to
 */

/**
 * @typedef {object} LocalServices
 * @property {() => import('./service-process.mjs').ServiceProcess[]} list those that run
 * @property {() => ServiceName[]} names those that belong to this environment, running or not
 * @property {(names: readonly ServiceName[]) => Promise<void>} restart ends and starts them; ready again when it resolves
 */

/**
 * Starts simulator (when there is no model provider), API and worker as child processes and waits until all are ready.
 * @param {object} options
 * @param {string} options.root
 * @param {Record<string, string>} options.env
 * @param {import('./port-plan.mjs').PortPlan} options.ports
 * @param {boolean} options.withSimulator
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {ServiceWatch} options.watch
 * @returns {Promise<LocalServices>}
 */
export async function startLocalServices({ root, env, ports, withSimulator, context, watch }) {
  /** @type {Map<ServiceName, import('./service-process.mjs').ServiceProcess>} */
  const started = new Map();
  /** @type {Set<import('./service-process.mjs').ServiceProcess>} */
  const stopping = new Set();

  const start = async (/** @type {ServiceName} */ name) => {
    context.signal.throwIfAborted();
    const { entry, readyUrl } = describeService(name, ports);
    const service = startService({ name, entry, root, env, onLine: (line) => watch.onLine(name, line) });
    started.set(name, service);
    await waitUntilReady({ url: readyUrl, service, signal: context.signal });
    void service.exited.then((end) => {
      if (!stopping.has(service)) watch.onUnexpectedExit(name, describeExit(service, end));
    });
  };
  const stop = async (/** @type {ServiceName} */ name) => {
    const service = started.get(name);
    if (service === undefined) return;
    stopping.add(service);
    await service.stop(STOP_GRACE_MS);
  };

  context.onStop(async () => {
    await Promise.all([stop('api'), stop('worker')]);
    await stop('simulator');
  });
  if (withSimulator) {
    await withProgress('simulator', (note) => {
      note(`on port ${ports.simulator}: without OPENAI_API_KEY, rules stand in for a language model`);
      return start('simulator');
    });
  }
  await withProgress('services', async (note) => {
    note(`API on port ${ports.api}, worker’s health on port ${ports.worker}`);
    await Promise.all([start('api'), start('worker')]);
  });

  return {
    list: () => [...started.values()].filter((service) => !service.hasExited()),
    names: () => [...started.keys()],
    restart: async (names) => {
      await Promise.all(
        names.map(async (name) => {
          await stop(name);
          await start(name);
        }),
      );
    },
  };
}

/** @param {ServiceName} name @param {import('./port-plan.mjs').PortPlan} ports */
function describeService(name, ports) {
  const entry = `dist/apps/${name}/src/main.js`;
  // The simulator speaks as the real provider does, which has no readiness of its own.
  const path = name === 'simulator' ? '/v1/models' : '/readyz';
  return { entry, readyUrl: `http://127.0.0.1:${ports[name]}${path}` };
}
