/** The fields read from Jest's `--json` report. */
export interface JestReport {
  readonly testResults: readonly JestFileReport[];
}

export interface JestFileReport {
  /** Absolute path of the spec. */
  readonly name: string;
  /** Error text, for example of a spec that failed to load; empty without errors. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}
