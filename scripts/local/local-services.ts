import type { ProgramName } from '../build/programs.ts';
import type { PortPlan, ServiceName } from './ports.ts';
import type { CommandContext } from './run-until-stopped.ts';
import { startService, waitUntilReady, type ServiceProcess } from './service-process.ts';
import { withProgress } from './terminal.ts';

const STOP_GRACE_MS = 10_000;

/** Receives output and unexpected ends of services. */
export interface ServiceWatch {
  /** Called for each line of output. */
  readonly onLine: (name: ServiceName, line: string) => void;
  /** Called when a service ends without a request. */
  readonly onUnexpectedExit: (name: ServiceName, message: string) => void;
}

export interface LocalServices {
  /** The running services. */
  readonly list: () => ServiceProcess[];
  /** Names of all services of this environment, running or not. */
  readonly names: () => ServiceName[];
  /** Stops and starts services; resolves once they are ready. */
  readonly restart: (names: readonly ServiceName[]) => Promise<void>;
}

/**
 * Starts simulator (without a model provider), API and worker as child processes, and waits until all are ready.
 * @param options.fileOf path of each program, below the root
 * @param options.isOneProcess whether API and worker share a process: less memory and a faster start, but a common restart
 */
export async function startLocalServices(options: {
  root: string;
  /** Folder of the logs. */
  logs: string;
  env: Readonly<Record<string, string>>;
  ports: PortPlan;
  /** Host of API and worker, in the form of a URL. */
  host: string;
  fileOf: (name: ProgramName) => string;
  withSimulator: boolean;
  isOneProcess: boolean;
  context: CommandContext;
  watch: ServiceWatch;
}): Promise<LocalServices> {
  const { root, logs, env, ports, host, fileOf, withSimulator, isOneProcess, context, watch } = options;
  const serving: readonly ServiceName[] = isOneProcess ? ['service'] : ['api', 'worker'];
  const started = new Map<ServiceName, ServiceProcess>();
  const askedToEnd = new Set<ServiceProcess>();

  const start = async (name: ServiceName): Promise<void> => {
    context.signal.throwIfAborted();
    const service = startService({
      name,
      entry: fileOf(name),
      root,
      logs,
      env,
      onLine: (line) => watch.onLine(name, line),
    });
    started.set(name, service);
    await waitUntilReady({ url: readyUrlOf(name, ports, host), service, signal: context.signal });
    void service.exited.then(({ reason }) => {
      if (!askedToEnd.has(service)) watch.onUnexpectedExit(name, reason);
    });
  };
  const stop = async (name: ServiceName): Promise<void> => {
    const service = started.get(name);
    if (service === undefined) return;
    askedToEnd.add(service);
    await service.stop(STOP_GRACE_MS);
  };

  context.onStop(async () => {
    await Promise.all(serving.map(stop));
    await stop('simulator');
  });
  if (withSimulator) {
    await withProgress('simulator', (note) => {
      note(`on port ${ports.simulator}: without OPENAI_API_KEY, rules stand in for a language model`);
      return start('simulator');
    });
  }
  await withProgress('services', async (note) => {
    const api = `API on port ${ports.api}`;
    note(isOneProcess ? `${api}, worker beside it` : `${api}, worker’s health on port ${ports.worker}`);
    await Promise.all(serving.map(start));
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

function readyUrlOf(name: ServiceName, ports: PortPlan, host: string): string {
  // The simulator copies the real provider, which has no readiness endpoint.
  if (name === 'simulator') return `http://127.0.0.1:${ports.simulator}/v1/models`;
  return `http://${host}:${ports[name === 'service' ? 'api' : name]}/readyz`;
}
