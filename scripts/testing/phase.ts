/** One run of Jest. */
export interface Phase {
  readonly name: string;
  /** Arguments of Jest. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
