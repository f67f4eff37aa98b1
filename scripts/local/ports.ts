import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';
const PORT_NAMES = ['api', 'worker', 'simulator'] as const;
/** Range of neighbouring ports to try before any free port. */
const NEIGHBOURS = 200;

type PortName = (typeof PORT_NAMES)[number];
/** `service` is API and worker in one process, on the API's port. */
export type ServiceName = PortName | 'service';
export type PortPlan = Readonly<Record<PortName, number>>;

/**
 * Plans the ports of a command's services: the default or configured one, or if it is in use, the next free one.
 * @returns `moved`: a sentence for each port in use
 * @throws {Error} when a configured port is invalid
 */
export async function planPorts(
  settings: Readonly<Record<string, string>>,
): Promise<{ ports: PortPlan; moved: string[] }> {
  const wanted: PortPlan = {
    api: portOf(settings, 'PORT', 3000),
    worker: portOf(settings, 'WORKER_PORT', 3001),
    simulator: portOf(settings, 'SIMULATOR_PORT', 3002),
  };
  const { HOST = LOOPBACK } = settings;
  const ports = { ...wanted };
  const moved: string[] = [];
  for (const [index, name] of PORT_NAMES.entries()) {
    // A moved service must not take the port of another one.
    const before = PORT_NAMES.slice(0, index).map((other) => ports[other]);
    const later = PORT_NAMES.slice(index + 1).map((other) => wanted[other]);
    const exclude = [...before, ...later.filter((port) => port !== wanted[name])];
    ports[name] = await getPort({
      host: name === 'simulator' ? LOOPBACK : HOST,
      port: portsFrom(wanted[name]),
      exclude,
    });
    if (ports[name] !== wanted[name]) {
      moved.push(`Port ${wanted[name]} is taken: ${name} listens on ${ports[name]}.`);
    }
  }
  return { ports, moved };
}

function* portsFrom(first: number): Generator<number> {
  for (let port = first; port <= Math.min(first + NEIGHBOURS, 65_535); port += 1) yield port;
}

function portOf(settings: Readonly<Record<string, string>>, name: string, usual: number): number {
  const text = settings[name];
  if (text === undefined) return usual;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${name} must be a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}
