import type { BranchStep, PipelineStep } from '#libs/policy';
import type { RequestedCall } from '../../journal-entry.js';
import type { StepData } from '../step-data.js';
import { callOf, endOfCall } from './call-kinds.js';
import { callsOfMap, endOfMap } from './map-kind.js';
import { failedStep, OVERFILLED, type EndedRound, type StepEnd } from './step-kind.js';

/** A step that makes calls, i.e. any step but a branch. */
export type RunningStep = Exclude<PipelineStep, BranchStep>;

/** The calls of one attempt at a step, each with an id unique in the pipeline; or the step's end, if it makes none. */
export function callsOf(
  step: RunningStep,
  data: StepData,
  attempt: number,
): readonly RequestedCall[] | StepEnd {
  const suffix = attempt === 1 ? '' : `#${attempt}`;
  if (step.kind !== 'map') {
    const call = callOf(step, data, step.name);
    return call === null ? OVERFILLED : [{ callId: `${step.name}${suffix}`, ...call }];
  }
  const calls = callsOfMap(step, data);
  if ('kind' in calls) return calls;
  return calls.map((call, index) => ({ callId: `${step.name}[${index}]${suffix}`, ...call }));
}

/** The result of a step with all calls ended. */
export function endOf(step: RunningStep, ended: EndedRound): StepEnd {
  if (step.kind === 'map') return endOfMap(step, ended);
  const [call] = ended.round.calls;
  return call === undefined ? failedStep('nothing ran') : endOfCall(step, call, ended);
}
