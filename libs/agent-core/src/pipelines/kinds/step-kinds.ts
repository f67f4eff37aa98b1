import type { PipelineStep } from '#libs/policy';
import type { RequestedCall } from '../../journal-entry.js';
import type { StepData } from '../step-data.js';
import { llmKind } from './llm-kind.js';
import type { EndedRound, StepEnd } from './step-kind.js';
import { toolKind } from './tool-kind.js';

/** The calls that a step makes. */
export function callsOf(step: PipelineStep, data: StepData, callId: string): readonly RequestedCall[] {
  switch (step.kind) {
    case 'llm':
      return llmKind.callsOf(step, data, callId);
    case 'tool':
      return toolKind.callsOf(step, data, callId);
  }
}

/** What a step has come to, all of whose calls have ended. */
export function endOf(step: PipelineStep, ended: EndedRound): StepEnd {
  switch (step.kind) {
    case 'llm':
      return llmKind.endOf(step, ended);
    case 'tool':
      return toolKind.endOf(step, ended);
  }
}
