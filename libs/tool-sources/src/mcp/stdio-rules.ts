import {
  describeLines,
  mayRunLine,
  ToolServerFailure,
  type PermittedLine,
  type ServerCredentials,
} from '#libs/tooling';
import type { StdioIsolation } from './stdio-isolation.js';
import type { StdioProcess } from './stdio-transport.js';

/** What the operator says of servers that are processes. */
export interface StdioRules {
  /** The command lines that may be run; none, and there are no such servers. */
  readonly lines: readonly PermittedLine[];
  /** How each process is kept from the worker; null where the operator lets it run as the worker's user. */
  readonly isolation: StdioIsolation | null;
  /** Bytes of data of each process. */
  readonly memoryBytes: number;
  /** Processes of one worker, their own children not counted. */
  readonly mostProcesses: number;
  /** `PATH` of each: where programs are looked for. */
  readonly path: string;
}

/** Names of the environment that make a permitted command run something else. */
const LOADERS =
  /^(PATH|IFS|ENV|BASH_ENV|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME)$/;

/** What to start. Throws a `ToolServerFailure` where that may not be. */
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
