import type { Execution } from '../client/index.js';

/** Exit codes of the program; docs/reference/cli.md lists them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  failed: 3,
  incomplete: 4,
  cancelled: 5,
  requiresAction: 6,
  unreachable: 7,
  differs: 8,
  interrupted: 130,
} as const;

/** Their meanings, for the help. */
export const EXIT_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done: the execution has completed, the request was answered'],
  [EXIT.refused, 'the service refused the request, or a check of doctor failed'],
  [EXIT.usage, 'the command is not valid'],
  [EXIT.failed, 'the execution has failed'],
  [EXIT.incomplete, 'the execution ended at a limit'],
  [EXIT.cancelled, 'the execution was cancelled'],
  [EXIT.requiresAction, 'the execution waits for a person'],
  [EXIT.unreachable, 'the service cannot be reached'],
  [EXIT.differs, 'diff has found something to apply'],
  [EXIT.interrupted, 'interrupted by Ctrl-C; the execution goes on'],
];

/** Exit code of a command that waited for an execution. */
export function exitCodeOf({ status }: Pick<Execution, 'status'>): number {
  switch (status) {
    case 'failed':
      return EXIT.failed;
    case 'incomplete':
      return EXIT.incomplete;
    case 'cancelled':
      return EXIT.cancelled;
    case 'requires_action':
      return EXIT.requiresAction;
    case 'completed':
    case 'queued':
    case 'running':
      return EXIT.done;
  }
}
