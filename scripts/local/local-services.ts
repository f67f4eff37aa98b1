import type { ProgramName } from '../build/programs.ts';
import type { PortPlan, ServiceName } from './ports.ts';
import type { CommandContext } from './run-until-stopped.ts';
import { startService, waitUntilReady, type ServiceProcess } from './service-process.ts';
import { withProgress } from './terminal.ts';

const STOP_GRACE_MS = 10_000;

/** Who is notified of what the services do on their own. */
export interface ServiceWatch {
  /** Each line of output. */
  readonly onLine: (name: ServiceName, line: string) => void;
  /** One ended without having been asked to. */
  readonly onUnexpectedExit: (name: ServiceName, message: string) => void;
}

export interface LocalServices {
  /** Those that run. */
  readonly list: () => ServiceProcess[];
  /** Names of those that belong to this environment, running or not. */
  readonly names: () => ServiceName[];
  /** Ends and starts them; they are ready again when it resolves. */
  readonly restart: (names: readonly ServiceName[]) => Promise<void>;
}

/**
 * Starts simulator (when there is no model provider), API and worker as child processes and waits until all are ready.
 * @param options.fileOf where each program is, below the root
 * @param options.isOneProcess API and worker share a process: less memory and an earlier start, but they restart together
 */
export async function startLocalServices(options: {
  root: string;
  /** Folder of their logs. */
  logs: string;
  env: Readonly<Record<string, string>>;
  ports: PortPlan;
  /** The host of API and worker, as a URL has it. */
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
  // The simulator answers as the real provider does, which has no readiness of its own.
  if (name === 'simulator') return `http://127.0.0.1:${ports.simulator}/v1/models`;
  return `http://${host}:${ports[name === 'service' ? 'api' : name]}/readyz`;
}
