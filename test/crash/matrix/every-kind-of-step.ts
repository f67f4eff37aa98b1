import type { CrashLane } from '../services/crash-lane.js';
import type { RecordedCall } from '../services/effect-server.js';
import type { ExecutionEvidence } from './evidence/case-evidence.js';
import { ofEventOrder, ofJournal, ofWebhooks, unless } from './evidence/execution-violations.js';
import { ofSteps } from './evidence/step-facts.js';
import { untilReported, type HeldExecution } from './until-reported.js';

/** Its unsafe calls and its repeatable ones, each with the input that it gets. */
const UNSAFE: Readonly<Record<string, string>> = { '2.0:1.0': 'called', '3.0': 'a', '3.1': 'b', '3.2': 'c' };
const REPEATABLE: Readonly<Record<string, string>> = { '4.0:1.0': 'a', '4.1:1.0': 'b', '4.2:1.0': 'c' };
export const UNSAFE_CALLS_OF_STEPS = Object.keys(UNSAFE);

const ANSWER = 'all is charged';
const STEPS = [
  ...['sort succeeded', 'choose branched', 'refuse skipped', 'call succeeded', 'charge succeeded'],
  ...['put succeeded', 'never skipped', 'close succeeded'],
];
const MAX_MS = 150_000;

/** Submits an execution that does a step of every kind. */
export async function beginEveryKindOfStep(lane: CrashLane): Promise<HeldExecution> {
  const { id } = await lane.submit({ input: 'an order' }, lane.pipelineId);
  return untilReported(lane, id, lane.api.settled(id, MAX_MS));
}

export interface StepEvidence extends ExecutionEvidence {
  readonly calls: readonly RecordedCall[];
  readonly webhookSecret: string;
}

/**
 * The violations of an execution with every kind of step, a sentence each. Pure.
 *
 * @param isUnknown whether the failpoint leaves the outcome of an unsafe call unknown
 */
export function findStepViolations(evidence: StepEvidence, isUnknown: boolean): string[] {
  return [
    ...ofEnding(evidence, isUnknown),
    ...ofJournal(evidence),
    ...ofEventOrder(evidence),
    ...ofSteps(evidence, STEPS, isUnknown),
    ...ofSkips(evidence, isUnknown),
    ...ofCalls(evidence, isUnknown),
    ...ofWebhooks(evidence, evidence.webhookSecret),
  ];
}

function ofEnding({ view }: ExecutionEvidence, isUnknown: boolean): string[] {
  const wanted = isUnknown ? 'failed TOOL_OUTCOME_UNKNOWN' : `completed ${ANSWER}`;
  const found = `${view.status} ${view.error?.code ?? view.result?.message.content}`;
  return unless(found === wanted, `it ended "${found}", not "${wanted}"`);
}

/** The unsafe calls come after the first skipped step and before the second. */
function ofSkips({ events, steps, view }: ExecutionEvidence, isUnknown: boolean): string[] {
  const wanted = isUnknown ? 'refuse by branch' : 'refuse by branch, never by condition';
  const audited = steps
    .filter(({ status }) => status === 'skipped')
    .map(({ tool_name, output }) => `${tool_name} by ${(output as { because: string }).because}`);
  const followed = events
    .filter(({ event }) => event === 'step_skipped')
    .map(({ data }) => data as { step: string; because: string })
    .map(({ step, because }) => `${step} by ${because}`);
  return [
    ...unless(audited.join(', ') === wanted, `the audit skips: ${audited.join(', ')}`),
    // Events of a worker that died may be lost or come twice.
    ...unless(
      view.attempt === 1 ? followed.join(', ') === wanted : followed.every((skip) => wanted.includes(skip)),
      `followers read: ${followed.join(', ')}`,
    ),
  ];
}

function ofCalls({ calls, view }: StepEvidence, isUnknown: boolean): string[] {
  const of = (name: string) => calls.filter(({ callKey }) => callKey === `${view.id}.${name}`);
  const known = { ...UNSAFE, ...REPEATABLE };
  const strange = calls.filter(({ callKey }) => known[callKey.slice(view.id.length + 1)] === undefined);
  const inputs = Object.entries(known).flatMap(([name, item]) =>
    of(name).flatMap(({ input }) =>
      unless(input.item === item, `${name} was given ${input.item}, not ${item}`),
    ),
  );
  return [
    ...strange.map(({ callKey }) => `a call was made without a request of the model: ${callKey}`),
    ...inputs,
    ...UNSAFE_CALLS_OF_STEPS.flatMap((name) => [
      ...unless(of(name).length <= 1, `the unsafe call ${name} was made ${of(name).length} times`),
      ...unless(isUnknown || of(name).length === 1, `the unsafe call ${name} was never made`),
    ]),
    ...Object.keys(REPEATABLE).flatMap((name) => {
      const effects = of(name).filter(({ tookEffect }) => tookEffect).length;
      return unless(effects === (isUnknown ? 0 : 1), `${name} took effect ${effects} times`);
    }),
  ];
}
