import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JestFileReport, JestReport } from './jest-report.ts';

/** Lines of a failure's message: what was expected, what came in its place, and where. */
const LINES_OF_A_FAILURE = 12;

export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  /** A few lines for each: file and test, and the beginning of what was wrong. */
  readonly failures: readonly string[];
}

/** With what it says of the whole run. */
export interface JestRunReport extends JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** @param root names of files are relative to it; one failure where Jest died before it could write its report */
export async function readTestOutcome(report: string, root: string): Promise<TestOutcome> {
  try {
    return testOutcomeOf(JSON.parse(await readFile(report, 'utf8')) as JestRunReport, root);
  } catch (error) {
    return { passed: 0, failed: 1, failures: [describe('Jest wrote no report', String(error))] };
  }
}

/** A file that cannot be run counts as one failed test. Pure. */
export function testOutcomeOf(report: JestRunReport, root: string): TestOutcome {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    failures: report.testResults.flatMap((file) => failuresOf(file, relative(root, file.name))),
  };
}

function failuresOf({ message, assertionResults }: JestFileReport, name: string): string[] {
  if (assertionResults.length === 0) return message === '' ? [] : [describe(name, message)];
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) =>
      describe(`${name}: ${fullName}`, (failureMessages ?? []).join('\n')),
    );
}

function describe(title: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [title, ...lines.slice(0, LINES_OF_A_FAILURE).map((line) => `    ${line}`)].join('\n');
}
