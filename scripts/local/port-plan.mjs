import { nextFreePort } from './ports.mjs';

const HOST = '127.0.0.1';

/**
 * The ports of a command's services: the usual ones or those that the user has set, and where one is taken the next
 * free one after it.
 * @typedef {{api: number, worker: number, simulator: number}} PortPlan
 */

/**
 * @param {Readonly<Record<string, string>>} settings
 * @returns {Promise<{ports: PortPlan, moved: string[]}>} `moved`: a sentence for each port that was taken
 */
export async function planPorts(settings) {
  const wanted = {
    api: portOf(settings, 'PORT', 3000),
    worker: portOf(settings, 'WORKER_PORT', 3001),
    simulator: portOf(settings, 'SIMULATOR_PORT', 3002),
  };
  const names = /** @type {const} */ (['api', 'worker', 'simulator']);
  /** @type {PortPlan} */
  const ports = { ...wanted };
  /** @type {string[]} */
  const moved = [];
  for (const [index, name] of names.entries()) {
    // Nobody who has to move sits down on a place that another one is about to take.
    const before = names.slice(0, index).map((other) => ports[other]);
    const later = names.slice(index + 1).map((other) => wanted[other]);
    const taken = new Set([...before, ...later.filter((port) => port !== wanted[name])]);
    ports[name] = await nextFreePort(wanted[name], { host: HOST, taken });
    if (ports[name] !== wanted[name])
      moved.push(`Port ${wanted[name]} is taken: ${name} listens on ${ports[name]}.`);
  }
  return { ports, moved };
}

/** @param {Readonly<Record<string, string>>} settings @param {string} name @param {number} usual */
function portOf(settings, name, usual) {
  const text = settings[name];
  if (text === undefined) return usual;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${name} must be a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}
