/** Files, pipes and connections that an engine may hold open at once; it needs fewer than 100. */
export const ENGINE_OPEN_FILES = 1_024;

/** Sets the limit for this shell, unless a lower one holds, and becomes the program. */
const SCRIPT = 'ulimit -n "$1" 2>/dev/null || [ "$(ulimit -H -n)" -lt "$1" ] || exit 126; shift; exec "$@"';

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Pure: the command that runs a program which can open at most so many files, in the same process. */
export function limitOpenFiles({ command, args }: Command, most = ENGINE_OPEN_FILES): Command {
  return { command: '/bin/sh', args: ['-c', SCRIPT, 'sh', String(most), command, ...args] };
}
