import { tokensOf } from './json-pointer.js';
import { END, type BranchStep } from './kinds/branch-step.schema.js';
import type { PipelineFault } from './pipeline-fault.js';
import type { Pipeline, PipelineStep } from './pipeline.schema.js';
import { referencesOf, referencesOfEnding, type References } from './references-of-step.js';

/**
 * Finds duplicate names, references to values that do not exist when the step runs, and branches that lead backwards or
 * nowhere; without these a pipeline cannot loop.
 */
export function findReferenceFaults({ steps, ...ending }: Pipeline): PipelineFault[] {
  const ofEnding = toReferenceFaults(referencesOfEnding(ending), steps, steps.length);
  return [...steps.flatMap((step, index) => findStepFaults(step, index, steps)), ...ofEnding];
}

function findStepFaults(step: PipelineStep, index: number, steps: readonly PipelineStep[]): PipelineFault[] {
  const faults = [
    ...findNameFaults(step, index, steps),
    ...toReferenceFaults(referencesOf(step), steps, index),
    ...(step.kind === 'branch' ? findTargetFaults(step, index, steps) : []),
  ];
  return faults.map(({ path, message }) => ({ path: ['steps', index, ...path], message }));
}

/** @param index index of the referring step; beyond the last one for the end of the pipeline */
function toReferenceFaults(
  references: readonly References[],
  steps: readonly PipelineStep[],
  index: number,
): PipelineFault[] {
  return references.flatMap(({ path, pointers, given }) =>
    pointers.flatMap((pointer) => toFault(path, faultOf(pointer, given, steps, index))),
  );
}

function findNameFaults(
  { name, ...step }: PipelineStep,
  index: number,
  steps: readonly PipelineStep[],
): PipelineFault[] {
  const isTaken = steps.findIndex((other) => other.name === name) !== index;
  const [called, path] = toolOf(step as PipelineStep);
  const isClash =
    called !== null && steps.some((other) => other.name === called && toolOf(other)[0] === null);
  return [
    ...toFault(['name'], isTaken ? 'must not be the name of another step' : null),
    ...toFault(['name'], name === END ? `must not be "${END}", which stands for the end` : null),
    ...toFault(path, isClash ? 'must not be the name of a step as well: rename the step' : null),
  ];
}

/** The tool that a step calls directly, and the path of its name. */
function toolOf(step: PipelineStep): readonly [string | null, readonly PropertyKey[]] {
  if (step.kind === 'tool') return [step.tool, ['tool']];
  return step.kind === 'map' && step.do.kind === 'tool' ? [step.do.tool, ['do', 'tool']] : [null, []];
}

function findTargetFaults(
  { cases, otherwise }: BranchStep,
  index: number,
  steps: readonly PipelineStep[],
): PipelineFault[] {
  const targets = [
    ...cases.map(({ then }, at) => ({ path: ['cases', at, 'then'], target: then })),
    ...(otherwise === undefined ? [] : [{ path: ['otherwise'], target: otherwise }]),
  ];
  return targets.flatMap(({ path, target }) => {
    if (target === END) return [];
    const place = steps.findIndex(({ name }) => name === target);
    if (place === -1) return toFault(path, `leads to the step "${target}", which there is not`);
    return toFault(
      path,
      place > index ? null : `leads back to the step "${target}": must lead to a later one`,
    );
  });
}

function faultOf(
  pointer: string,
  given: readonly string[],
  steps: readonly PipelineStep[],
  index: number,
): string | null {
  const [root = '', name] = tokensOf(pointer);
  if (given.includes(root)) return null;
  if (root !== 'steps' || name === undefined) {
    const roots = given.map((one) => `/${one}`).join(', ');
    return `refers to ${pointer}: must begin with ${roots} or /steps/NAME`;
  }
  const place = steps.findIndex((step) => step.name === name);
  if (place === -1) return `refers to the step "${name}", which there is not`;
  if (place >= index) return `refers to the step "${name}", which does not come before this one`;
  return steps[place]?.kind === 'branch' ? `refers to the step "${name}", which has no output` : null;
}

function toFault(path: readonly PropertyKey[], message: string | null): PipelineFault[] {
  return message === null ? [] : [{ path, message }];
}
