import type { ExecutionEvidence } from './case-evidence.js';
import { placeOf, unless } from './execution-violations.js';
import type { ExpectedEnding } from './expected-ending.js';

type ToolEvidence = Pick<ExecutionEvidence, 'calls' | 'steps' | 'journal'> & {
  readonly view: Pick<ExecutionEvidence['view'], 'id'>;
};

/** The violations of the one tool call: journal, audit and the tool's server have to agree on its outcome. Pure. */
export function ofTool(
  { calls, steps, journal, view }: ToolEvidence,
  expected: Pick<ExpectedEnding, 'calls' | 'effects' | 'stepStatus'>,
): string[] {
  const effects = calls.filter((call) => call.tookEffect).length;
  const keys = new Set(calls.map((call) => call.idempotencyKey));
  const started = new Set(journal.filter((row) => row.kind === 'tool_call_started').map(placeOf));
  const intended = (key: string): boolean => started.has(key.slice(view.id.length + 1));
  return [
    ...unless(isWithin(calls.length, expected.calls), `the tool was called ${calls.length} times`),
    ...unless(isWithin(effects, expected.effects), `the tool took effect ${effects} times`),
    ...unless(keys.size <= 1, `one call has the keys ${[...keys].join(', ')}`),
    ...unless(!keys.has(null), 'a call came without a key'),
    ...unless(
      calls.every((call) => intended(call.callKey)),
      'a call that the journal does not know was made',
    ),
    ...steps.flatMap((step) => [
      ...unless(step.status === expected.stepStatus, `the audit says ${step.status}`),
      ...unless(step.input !== null && step.output !== null, 'the audit misses input or output'),
      ...unless(step.status !== 'succeeded' || effects > 0, 'the audit reports an effect that never was'),
    ]),
    ...unless(
      steps.length === (expected.calls[1] > 0 || started.size > 0 ? 1 : 0),
      `${steps.length} audit rows`,
    ),
  ];
}

function isWithin(count: number, [least, most]: readonly [number, number]): boolean {
  return count >= least && count <= most;
}
