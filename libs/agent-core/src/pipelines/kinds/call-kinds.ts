import type { AgentStep, LlmStep, MapStep, ToolStep } from '#libs/policy';
import type { ToolCallState } from '../../scope-state.js';
import type { StepData } from '../step-data.js';
import { loopKind } from './loop-kind.js';
import type { EndedRound, StepEnd, UnnamedCall } from './step-kind.js';
import { toolKind } from './tool-kind.js';

/** A step that makes one call, or the inner step of a map. */
type CallingStep = LlmStep | ToolStep | AgentStep | MapStep['do'];

export function callOf(step: CallingStep, data: StepData, name: string): UnnamedCall | null {
  return step.kind === 'tool' ? toolKind.callOf(step, data, name) : loopKind.callOf(step, data, name);
}

export function endOfCall(step: CallingStep, call: ToolCallState, ended: EndedRound): StepEnd {
  return step.kind === 'tool' ? toolKind.endOf(step, call, ended) : loopKind.endOf(step, call, ended);
}
