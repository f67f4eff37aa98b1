import { toStorableJson, utf8Length, type JsonValue } from '#libs/kernel';
import { holds, type PipelineStep, END, type BranchStep } from '#libs/policy';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import type { RoundState, ScopeState, ToolCallState } from '../scope-state.js';
import type { ScopeSurroundings } from '../scopes/scope-surroundings.js';
import { endPipeline } from './compose-answer.js';
import { failedStep, type StepEnd } from './kinds/step-kind.js';
import { callsOf, endOf, type RunningStep } from './kinds/step-kinds.js';
import type { PipelineRules } from './pipeline-rules.js';
import { stepData, type StepData } from './step-data.js';
import type { SettledStep, SkipReason, StepOutcome } from './step-state.js';
import type { ToolEffect } from '#libs/tooling';
import { childPath, type ScopePath } from '../scopes/scope-path.js';

/** Maximum bytes of one step's output as JSON. */
const MAX_OUTPUT_BYTES = 262_144;
/** Maximum bytes of all steps' outputs together, as JSON. */
const MAX_MEMORY_BYTES = 1_048_576;

/** The part of the execution that the decisions of a pipeline depend on. */
interface PipelineSurroundings extends Pick<ScopeSurroundings, 'path' | 'scopes'> {
  readonly effectOf: EffectOf;
}

/**
 * Decides the next facts of a pipeline with no call in flight. Pure: every result of a step is recorded, so an attempt
 * after a crash decides the same. Steps settle in order, each exactly once.
 */
export function decideNextStep(
  state: ScopeState,
  rules: PipelineRules,
  surroundings: PipelineSurroundings,
): readonly JournalEntry[] {
  const last = state.steps.at(-1)?.outcome;
  if (last?.status === 'failed') return [settled(last)];
  const step = rules.steps[state.steps.length];
  const data = stepData(rules, state.steps);
  if (step === undefined) return [settled(endPipeline(rules, state.steps, data))];
  const round = state.rounds.at(-1);
  if (step.kind !== 'branch' && round?.step?.name === step.name)
    return endRound(step, round, round.step.attempt, { state, data, surroundings });
  const because = whySkipped(step, state, rules, data);
  if (because !== null) return [settledStep(step, { status: 'skipped', because })];
  if (step.kind !== 'branch') return begin(step, 1, state, data);
  return [settledStep(step, chooseBranch(step, data, rules.steps[state.steps.length + 1]?.name))];
}

/** Why the step is skipped; null if it runs. The condition of a step that a branch skipped is not evaluated. */
function whySkipped(
  step: PipelineStep,
  { steps }: ScopeState,
  rules: PipelineRules,
  { everything }: StepData,
): SkipReason | null {
  if (steps.some(({ outcome }) => leadsPast(outcome, step, rules))) return 'branch';
  return step.when === undefined || holds(step.when, everything) ? null : 'condition';
}

/** Whether an earlier branch leads past this step. */
function leadsPast(outcome: StepOutcome, { name }: PipelineStep, { steps }: PipelineRules): boolean {
  if (outcome.status !== 'branched') return false;
  const placeOf = (of: string): number => steps.findIndex((step) => step.name === of);
  return outcome.to === null || placeOf(name) < placeOf(outcome.to);
}

interface Now {
  readonly state: ScopeState;
  readonly data: StepData;
  readonly surroundings: PipelineSurroundings;
}

/** Retries a failed step only if no effect could happen twice. */
function endRound(
  step: RunningStep,
  round: RoundState,
  attempt: number,
  { state, data, surroundings: { path, scopes, effectOf } }: Now,
): readonly JournalEntry[] {
  const end = endOf(step, { path, round, scopes });
  const mayRepeat = end.kind === 'failed' && attempt < (step.retry?.max_attempts ?? 1) && !wasRefused(round);
  if (mayRepeat && !mayHaveTakenEffect(round.calls, path, scopes, effectOf))
    return begin(step, attempt + 1, state, data);
  return follow(end, step, state);
}

/** Whether a call was refused: a retry would be refused too. */
function wasRefused({ calls }: RoundState): boolean {
  return calls.some(({ outcome }) => outcome?.status === 'refused');
}

function begin(
  step: RunningStep,
  attempt: number,
  state: ScopeState,
  data: StepData,
): readonly JournalEntry[] {
  const calls = callsOf(step, data, attempt);
  if ('kind' in calls) return follow(calls, step, state);
  return [{ kind: 'step_begun', round: state.rounds.length + 1, step: step.name, attempt, calls }];
}

function follow(ended: StepEnd, step: RunningStep, { steps }: ScopeState): readonly JournalEntry[] {
  const end = ended.kind === 'done' ? withinBounds(ended, steps) : ended;
  switch (end.kind) {
    case 'done': {
      const { output, foreign } = end;
      return [settledStep(step, { status: 'succeeded', output, ...(foreign !== undefined && { foreign }) })];
    }
    case 'incomplete':
      return [settled({ status: 'incomplete', reason: end.reason, text: end.text })];
    case 'failed': {
      const { code, message } = end.error;
      const error = { code, message: `the step ${step.name} failed: ${message}` };
      return [settledStep(step, { status: 'failed', error })];
    }
  }
}

const settledStep = ({ name: step }: PipelineStep, outcome: StepOutcome): JournalEntry => ({
  kind: 'step_settled',
  step,
  outcome,
});

/**
 * Converts the output to its stored form, so that all decisions use the same value; fails the step if it is too large.
 */
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
  return failedStep(message, 'OUTPUT_INVALID');
}

function bytesOf(value: JsonValue): number {
  return utf8Length(JSON.stringify(value));
}

const settled = (outcome: ExecutionOutcome): JournalEntry => ({ kind: 'execution_settled', outcome });

/** The target of a branch. @param next the following step; undefined for the last one */
function chooseBranch(
  { cases, otherwise }: BranchStep,
  { everything }: StepData,
  next: string | undefined,
): Extract<StepOutcome, { status: 'branched' }> {
  const chosen = cases.find(({ when }) => holds(when, everything))?.then ?? otherwise ?? next ?? END;
  return { status: 'branched', to: chosen === END ? null : chosen };
}

/** The effect of a call's tool; null if it is unknown. */
type EffectOf = (call: ToolCallState) => ToolEffect | null;

/**
 * Whether any of the calls, or of the calls in scopes they opened, began and does more than read. A retry of a step
 * uses new call keys, so even an idempotent call would take effect twice.
 */
function mayHaveTakenEffect(
  calls: readonly ToolCallState[],
  path: ScopePath,
  scopes: ReadonlyMap<ScopePath, ScopeState>,
  effectOf: EffectOf,
): boolean {
  return calls.some((call) => {
    const inside = childPath(path, call);
    const scope = scopes.get(inside);
    if (scope === undefined) return call.started && effectOf(call) !== 'read';
    const below = scope.rounds.flatMap((round) => round.calls);
    return mayHaveTakenEffect(below, inside, scopes, effectOf);
  });
}
