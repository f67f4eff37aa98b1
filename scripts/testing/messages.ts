/** Messages from `progress-reporter.ts` in Jest's process to the command that started it. */
export type TestMessage =
  | { readonly type: 'started'; readonly files: number; readonly seed: number }
  | { readonly type: 'file'; readonly report: FileReport };

/** The outcome of one spec file. */
export interface FileReport {
  /** Path below the root. */
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  /** Suites and test; null for a file that cannot run. */
  readonly title: string | null;
  readonly message: string;
}
