import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { readAddresses } from '../local/addresses.ts';
import { listEnvironments } from '../local/claim-environment.ts';
import { EXAMPLE_PROGRAMS, listExamplePrograms } from './example-programs.ts';

/**
 * Runs an example against the API of `API` or `CAPSTAN_BASE_URL` and its key, or else the first running environment of this
 * checkout.
 * @returns its exit code; 1 for an unknown example, after a list of all
 */
export async function runExampleProgram(options: {
  root: string;
  name: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}): Promise<number> {
  const { root, name, args, env } = options;
  const program = EXAMPLE_PROGRAMS.find((each) => each.name === name);
  if (program === undefined) {
    const wrong = name === '' ? 'Name an example.' : `There is no example "${name}".`;
    process.stderr.write(`${wrong} These run beside npm run quickstart:\n${listExamplePrograms()}\n`);
    return 1;
  }
  process.stderr.write(`${program.does} (${program.file})\n`);
  const child = spawn(process.execPath, [join(root, program.file), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: withClient({ ...addressOfRunning(root, env), ...env }),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  // The launching Node process has exited, so no process waits for this one.
  process.on('disconnect', () => child.kill('SIGTERM'));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Adds the variables by which the client of the package finds the API: `API` and `API_KEY` in place of its own, and
 * `API_KEY` beside an address of its own if it has no key.
 */
export function withClient(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { API, API_KEY, CAPSTAN_BASE_URL, CAPSTAN_API_KEY } = env;
  const url = API ?? CAPSTAN_BASE_URL;
  const key = API === undefined ? (CAPSTAN_API_KEY ?? API_KEY) : (API_KEY ?? CAPSTAN_API_KEY);
  return {
    ...env,
    ...(url !== undefined && { CAPSTAN_BASE_URL: url }),
    ...(url !== undefined && key !== undefined && { CAPSTAN_API_KEY: key }),
  };
}

/** Empty where the caller names an API, so that a key is never sent to another one. */
function addressOfRunning(root: string, env: NodeJS.ProcessEnv): Record<string, string> {
  if (env['API'] !== undefined || env['CAPSTAN_BASE_URL'] !== undefined) return {};
  const running = listEnvironments(root).find(({ owner }) => owner !== null);
  const addresses = running === undefined ? null : readAddresses(running.place.folder);
  if (addresses === null) return {};
  return { API: addresses.api, ...(addresses.apiKey !== null && { API_KEY: addresses.apiKey }) };
}
