import { ToolServerFailure, type ServerCredentials } from '#libs/tooling';
import type { StdioProcess } from './stdio-transport.js';

/** What the operator says of servers that are processes. */
export interface StdioRules {
  /** The commands that may be run, by name; none, and there are no such servers. */
  readonly commands: readonly string[];
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
  config: { readonly command: string; readonly args: readonly string[] },
  { env }: Pick<ServerCredentials, 'env'>,
  { commands, memoryBytes, path }: StdioRules,
): StdioProcess {
  const { command, args } = config;
  if (!commands.includes(command)) {
    const words = commands.length === 0 ? 'it permits none' : `it permits ${commands.join(', ')}`;
    throw new ToolServerFailure('unsupported', `this installation does not run the command: ${words}`);
  }
  const loader = Object.keys(env).find((name) => LOADERS.test(name.toUpperCase()));
  if (loader !== undefined)
    throw new ToolServerFailure('unsupported', 'its env_template sets a variable that decides what is run');
  return { command, args, env, memoryBytes, path };
}
