import { numbersIn } from '../../scripts/requirements-table.ts';
import type { JestFileReport, JestReport } from '../../scripts/testing/jest-report.ts';
import { hasNumber, specsOf, type Mutant } from './mutant.js';

/**
 * `killed`: every spec of the mutant has a test that names its row and failed by an assertion. `survived`: no test failed.
 * `broken`: something failed, and that proves nothing about the row: the code did not load, a hook threw, a test ran out of
 * time, or only tests of other rows failed.
 */
export interface Verdict {
  readonly kind: 'killed' | 'survived' | 'broken';
  readonly detail: string;
  /** True if a mutant was killed by a timeout of `waitFor` only, which an overloaded machine causes too. */
  readonly isByWaiting?: boolean;
}

export function evaluateReport(mutant: Mutant, report: JestReport): Verdict {
  const verdicts = specsOf(mutant).map((spec) => evaluateSpec(mutant, spec, report));
  const weakest =
    verdicts.find(({ kind }) => kind !== 'killed') ?? verdicts.find((verdict) => verdict.isByWaiting);
  return weakest ?? verdicts[0] ?? broken('it names no spec');
}

/** Repeats a verdict that rests on a timeout only: an overloaded machine rarely causes the same timeout twice. */
export async function evaluateDoubting(evaluate: () => Promise<Verdict>): Promise<Verdict> {
  const first = await evaluate();
  return first.isByWaiting === true ? evaluate() : first;
}

function evaluateSpec(mutant: Mutant, spec: string, report: JestReport): Verdict {
  const result = report.testResults.find(({ name }) => name.endsWith(`/${spec}`));
  if (result === undefined) return broken(`Jest did not run ${spec}`);
  if (result.assertionResults.length === 0) return broken(`${spec} could not be loaded: ${result.message}`);

  const failed = result.assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { kind: 'survived', detail: `nothing fails in ${spec}` };
  const meant = failed.filter(({ fullName }) => !hasNumber(mutant) || namesRow(fullName, mutant.row));
  if (meant.length === 0) {
    return broken(`only other tests of ${spec} fail: ${failed.map(({ fullName }) => fullName).join('; ')}`);
  }
  const killer = meant.find(failsBy(isAssertion));
  if (killer !== undefined) return { kind: 'killed', detail: killer.fullName };
  const waiter = meant.find(failsBy(isWait));
  if (waiter === undefined) {
    return broken(`"${meant[0]?.fullName}" fails by no assertion: ${meant[0]?.failureMessages?.join('\n')}`);
  }
  return { kind: 'killed', detail: waiter.fullName, isByWaiting: true };
}

type Test = JestFileReport['assertionResults'][number];

function failsBy(isMeant: (message: string) => boolean): (test: Test) => boolean {
  return ({ failureMessages }) => (failureMessages ?? []).some(isMeant);
}

/** A range names its inner rows too: `S4-21 … S4-27` names S4-24. */
export function namesRow(title: string, row: string): boolean {
  return (
    numbersIn(title).includes(row) || new RegExp(`(?<![\\w.-])${row.replace('.', '\\.')}(?!\\d)`).test(title)
  );
}

/** True for a failure of `expect`, of fast-check, or of a schema by which the test itself checks an answer. */
function isAssertion(message: string): boolean {
  const isOfSchema =
    /^\s*ZodError|is not as openapi\.json says: status [234]/.test(message) && isThrownByTest(message);
  return isOfSchema || (/\bexpect\(|Property failed after/.test(message) && !isWait(message));
}

/** True for a timeout of `waitFor`. */
function isWait(message: string): boolean {
  return /Waited \d+ ms in vain/.test(message);
}

/** True if the first stack frame outside `node_modules` is in a test. */
function isThrownByTest(message: string): boolean {
  const frame = message
    .split('\n')
    .find((line) => /^\s+at .*:\d+:\d+/.test(line) && !line.includes('node_modules'));
  return frame !== undefined && /\/test\/|\.spec\.ts/.test(frame);
}

function broken(detail: string): Verdict {
  return { kind: 'broken', detail };
}
