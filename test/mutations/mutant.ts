/** One deliberate mistake in the code, and the specs that have to notice it. */
export interface Mutant {
  /**
   * The requirement that the mistake breaks (`S4-31`, `3.D-6`): a test that names it must fail. Where there is none, a
   * word for the area.
   */
  readonly row: string;
  /** Relative to the repository, with slashes. */
  readonly file: string;
  /** The text to replace, as it stands in the file, exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Each of these must fail. Unit and integration specs only: the others need a build. */
  readonly spec: string | readonly string[];
  /** The resulting fault of the service, in one line. */
  readonly why: string;
}

/** Rows with a number; a test says in its name that it proves one. */
const NUMBERED = /^(S\d-\d+|\d\.[A-Z]-\d+|L\d+)$/;

export function hasNumber({ row }: Mutant): boolean {
  return NUMBERED.test(row);
}

export function specsOf({ spec }: Mutant): readonly string[] {
  return typeof spec === 'string' ? [spec] : spec;
}
