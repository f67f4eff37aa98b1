import type { IsolationEnding } from '#libs/executions';

/** What ends whole groups of processes from outside: a deploy, a terminal. A process with a suspect ignores it. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** How a process with a suspect ended, as its worker saw it. */
export interface ChildEnding {
  /** It said that everything is written. */
  readonly isDone: boolean;
  /** It had the claim in its hands. */
  readonly hasBegun: boolean;
  /** Its worker had lost the lease. */
  readonly wasStopped: boolean;
  /** Its worker had been told to stop. */
  readonly isDraining: boolean;
  /** Null when it ended by itself. */
  readonly signal: NodeJS.Signals | null;
}

/** Evidence against the execution is only an end for which nobody else can be the reason. */
export function endingOf({ isDone, hasBegun, wasStopped, isDraining, signal }: ChildEnding): IsolationEnding {
  if (isDone) return 'done';
  if (!hasBegun) return wasStopped || isDraining ? 'broke_off' : 'not_started';
  if (wasStopped || STOP_SIGNALS.some((stop) => stop === signal)) return 'cut_off';
  // Whoever stops a worker kills in the end what is left of its group.
  if (isDraining && signal === 'SIGKILL') return 'cut_off';
  return 'died';
}
