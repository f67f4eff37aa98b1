import type { Check } from './doctor.js';
import type { ResourceFile } from './resources/read-resources.js';

/** Everything outside of the command line that it uses. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of the package. */
  readonly version: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether a person reads the output. */
  readonly isTerminal: boolean;
  /** Whether a person can be asked: input and output are terminals. */
  readonly canAsk: boolean;
  /** Columns of the terminal; null where there is none. */
  readonly columns: number | null;
  /** Asks the person one question. */
  readonly ask: (question: string) => Promise<string>;
  /** Reads the whole standard input. */
  readonly readInput: () => Promise<string>;
  /** Reads a file, or the YAML and JSON files of a folder. */
  readonly readFiles: (path: string) => Promise<readonly ResourceFile[]>;
  /** Ends with the program’s interruption (Ctrl-C). */
  readonly signal: AbortSignal;
  /** Time in ms since 1970. */
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** Loads the programs of the package. */
  readonly loadService: () => Promise<ServicePrograms>;
}

/** The service itself, run by this command; a folder holds a project. */
export interface ServicePrograms {
  /** Ends the process when it is stopped. */
  readonly dev: (folder: string) => Promise<never>;
  /** Resolves when the service has started; it keeps the process running. */
  readonly start: (folder: string | undefined) => Promise<void>;
  /** Answers the exit code of the migration program. */
  readonly migrate: (folder: string | undefined, args: readonly string[]) => Promise<number>;
  /** Checks what a service with this environment would use. */
  readonly examine: () => AsyncIterable<Check>;
}
