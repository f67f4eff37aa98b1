import { relative } from 'node:path';
import type { AggregatedResult, TestContext, TestResult, Test } from '@jest/test-result';
import type { FileReport, TestFailure, TestMessage } from './messages.ts';

/** A Jest reporter that prints nothing: it sends `TestMessage`s over the process's channel. */
export default class ProgressReporter {
  private readonly root: string;
  private readonly seed: number;

  constructor(globalConfig: { readonly rootDir: string; readonly seed: number }) {
    this.root = globalConfig.rootDir;
    this.seed = globalConfig.seed;
  }

  onRunStart({ numTotalTestSuites }: AggregatedResult): void {
    send({ type: 'started', files: numTotalTestSuites, seed: this.seed });
  }

  onTestResult(test: Test, result: TestResult): void {
    send({ type: 'file', report: fileReportOf(relative(this.root, test.path), result) });
  }

  onRunComplete(_contexts: Set<TestContext>, _results: AggregatedResult): void {}

  getLastError(): undefined {}
}

/** A file that fails outside its tests has one failure without a title. Pure. */
export function fileReportOf(file: string, result: TestResult): FileReport {
  const failed = result.testResults.filter(({ status }) => status === 'failed');
  const failures: TestFailure[] = failed.map(({ fullName, failureMessages }) => ({
    title: fullName,
    message: failureMessages.join('\n'),
  }));
  if (result.testExecError) {
    failures.push({ title: null, message: result.failureMessage ?? 'It cannot be run.' });
  }
  return {
    file,
    passed: result.numPassingTests,
    skipped: result.numPendingTests,
    failures,
  };
}

function send(message: TestMessage): void {
  process.send?.(message);
}
