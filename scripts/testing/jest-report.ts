/** What Jest says of each file with `--json`, as far as it is read here. */
export interface JestReport {
  readonly testResults: readonly JestFileReport[];
}

export interface JestFileReport {
  /** Absolute path of the spec. */
  readonly name: string;
  /** Why a spec could not be loaded, among others; empty when nothing was wrong. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}
