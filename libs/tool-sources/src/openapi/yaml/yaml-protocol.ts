/** What the process is started with, beside its limits. The YAML comes by standard input. */
export interface YamlOrder {
  /** The name of the file, for faults. */
  readonly file: string;
}

/** How the process ends when it has written the JSON; with any other code it has not. */
export const CONVERTED = 0;
/** How it ends when it has written a `YamlFault`. */
export const AT_FAULT = 3;

/** What is wrong with the text, as in `DocumentFault`. */
export interface YamlFault {
  readonly place: string;
  readonly reason: string;
}
