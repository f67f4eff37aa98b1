import {
  describeLines,
  mayRunLine,
  ToolServerFailure,
  type PermittedLine,
  type ServerCredentials,
} from '#libs/tooling';
import type { StdioIsolation } from './stdio-isolation.js';
import type { StdioProcess } from './stdio-transport.js';

/** The operator's rules for servers that run as processes. */
export interface StdioRules {
  /** Permitted command lines; if empty, no such server may run. */
  readonly lines: readonly PermittedLine[];
  /** Isolation of each process from the worker; null runs it as the worker's user. */
  readonly isolation: StdioIsolation | null;
  /** Maximum bytes of data memory per process. */
  readonly memoryBytes: number;
  /** Maximum processes per worker, without their children. */
  readonly mostProcesses: number;
  /** `PATH` of each process. */
  readonly path: string;
}

/** Environment variables that could make a permitted command run other code. */
const LOADERS =
  /^(PATH|IFS|ENV|BASH_ENV|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME)$/;

/** Validates a server against the rules. Throws a `ToolServerFailure` if it may not run. */
export function toStdioProcess(
  {
    tenantId,
    config,
  }: {
    readonly tenantId: string;
    readonly config: { readonly command: string; readonly args: readonly string[] };
  },
  { env }: Pick<ServerCredentials, 'env'>,
  { lines, isolation, memoryBytes, path }: StdioRules,
): StdioProcess {
  const { command, args } = config;
  if (!mayRunLine(lines, tenantId, config)) {
    const permitted = describeLines(lines, tenantId);
    const words = permitted.length === 0 ? 'it permits none' : `it permits ${permitted.join(' | ')}`;
    throw new ToolServerFailure('unsupported', `this installation does not run the command line: ${words}`);
  }
  const loader = Object.keys(env).find((name) => LOADERS.test(name.toUpperCase()));
  if (loader !== undefined)
    throw new ToolServerFailure('unsupported', 'its env_template sets a variable that decides what is run');
  return { command, args, env, memoryBytes, path, isolation };
}
