import { stripVTControlCharacters } from 'node:util';
import type { FileReport, TestFailure } from './messages.ts';

/** Maximum lines of a failure at the end of a run: expected value, received value, and place. */
const LINES_OF_A_FAILURE = 12;

export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A file that cannot run counts as one failed test. Pure. */
export function sumOf(reports: readonly FileReport[]): TestOutcome {
  const sum = (count: (report: FileReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length),
    skipped: sum(({ skipped }) => skipped),
  };
}

/** File and test, message, and the command that repeats only this test. */
export function describeFailure(file: string, { title, message }: TestFailure, maxLines?: number): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    `FAILED ${file}${title === null ? '' : `: ${title}`}`,
    ...lines.slice(0, maxLines).map((line) => `    ${line}`),
    `    again: ${commandThatRepeats(file, title)}`,
  ].join('\n');
}

/** The end of a run: the start of each failure, and last the machine-readable line `N passed, N failed`. */
export function describeEnd(reports: readonly FileReport[]): string {
  const failures = reports.flatMap((report) =>
    report.failures.map((failure) => `${describeFailure(report.file, failure, LINES_OF_A_FAILURE)}\n`),
  );
  const { passed, failed, skipped } = sumOf(reports);
  const skippedToo = skipped > 0 ? `, ${skipped} skipped` : '';
  return `\n${failures.join('\n')}\n${passed} passed, ${failed} failed${skippedToo}\n`;
}

/** Command for a POSIX shell; the title becomes a regular expression for Jest. */
export function commandThatRepeats(file: string, title: string | null): string {
  if (title === null) return `npm test -- ${file}`;
  const pattern = `${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`;
  return `npm test -- ${file} -t '${pattern.replaceAll("'", `'\\''`)}'`;
}
