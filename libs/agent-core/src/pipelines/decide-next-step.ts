import { toStorableJson, type JsonValue } from '#libs/kernel';
import { holds, type PipelineStep } from '#libs/policy';
import { utf8Length } from '#libs/tooling';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import type { ScopeState } from '../scope-state.js';
import type { ScopeSurroundings } from '../scopes/scope-surroundings.js';
import { lastOutput } from './last-output.js';
import { callsOf, endOf } from './kinds/step-kinds.js';
import { failedStep, type StepEnd } from './kinds/step-kind.js';
import type { PipelineRules } from './pipeline-rules.js';
import { stepData } from './step-data.js';
import type { BegunStep, SettledStep } from './step-state.js';

/** Bytes of JSON of what one step leaves for later ones. */
export const MAX_OUTPUT_BYTES = 262_144;
/** The same of all steps together. */
export const MAX_MEMORY_BYTES = 1_048_576;

/**
 * What follows for a pipeline of which nothing is under way: the facts. Pure: everything that a step came to is recorded, so
 * whoever goes on after a crash decides the same. Steps settle in their order, each exactly once.
 */
export function decideNextStep(
  state: ScopeState,
  rules: PipelineRules,
  { path, scopes }: Pick<ScopeSurroundings, 'path' | 'scopes'>,
): readonly JournalEntry[] {
  const last = state.steps.at(-1)?.outcome;
  if (last?.status === 'failed') return [settled(last)];
  const round = state.rounds.at(-1);
  const step = rules.steps[state.steps.length];
  if (round?.step !== undefined && step?.name === round.step.name)
    return follow(endOf(step, { path, round, scopes }), step, round.step, state, rules);
  if (step === undefined) return [settled({ status: 'completed', text: lastOutput(state.steps) })];
  const data = stepData(rules, state.steps);
  if (step.when !== undefined && !holds(step.when, data.values))
    return [{ kind: 'step_settled', step: step.name, outcome: { status: 'skipped' } }];
  return [begin(step, 1, state, rules)];
}

function begin(step: PipelineStep, attempt: number, state: ScopeState, rules: PipelineRules): JournalEntry {
  const callId = attempt === 1 ? step.name : `${step.name}#${attempt}`;
  const calls = callsOf(step, stepData(rules, state.steps), callId);
  return { kind: 'step_begun', round: state.rounds.length + 1, step: step.name, attempt, calls };
}

function follow(
  ended: StepEnd,
  step: PipelineStep,
  { attempt }: BegunStep,
  state: ScopeState,
  rules: PipelineRules,
): JournalEntry[] {
  const end = ended.kind === 'done' ? withinBounds(ended, state.steps) : ended;
  switch (end.kind) {
    case 'done': {
      const { output, foreign } = end;
      const outcome = { status: 'succeeded', output, ...(foreign !== undefined && { foreign }) } as const;
      return [{ kind: 'step_settled', step: step.name, outcome }];
    }
    case 'incomplete':
      return [settled({ status: 'incomplete', reason: end.reason, text: end.text })];
    case 'failed': {
      if (end.mayRepeat && attempt < (step.retry?.max_attempts ?? 1))
        return [begin(step, attempt + 1, state, rules)];
      const error = { ...end.error, message: `the step ${step.name} failed: ${end.error.message}` };
      return [{ kind: 'step_settled', step: step.name, outcome: { status: 'failed', error } }];
    }
  }
}

/** As it is stored, so that nobody ever decides on anything else. */
function withinBounds(end: Extract<StepEnd, { kind: 'done' }>, before: readonly SettledStep[]): StepEnd {
  const output = toStorableJson(end.output);
  const bytes = bytesOf(output);
  const kept = before.reduce(
    (sum, { outcome }) => sum + (outcome.status === 'succeeded' ? bytesOf(outcome.output) : 0),
    0,
  );
  if (bytes > MAX_OUTPUT_BYTES) return tooLarge(`its output has more than ${MAX_OUTPUT_BYTES} bytes`);
  if (kept + bytes > MAX_MEMORY_BYTES)
    return tooLarge(`the outputs of all steps have more than ${MAX_MEMORY_BYTES} bytes`);
  return { ...end, output };
}

function tooLarge(message: string): StepEnd {
  return failedStep(message, false, 'OUTPUT_INVALID');
}

function bytesOf(value: JsonValue): number {
  return utf8Length(JSON.stringify(value));
}

const settled = (outcome: ExecutionOutcome): JournalEntry => ({ kind: 'execution_settled', outcome });
