import { pointersInCondition, type Condition } from './condition.js';
import { tokensOf } from './json-pointer.js';
import type { PipelineFault } from './pipeline-fault.js';
import type { PipelineStep } from './pipeline.schema.js';
import { pointersOf } from './template.js';

/** What templates and conditions may refer to beside the outputs of steps. */
const GIVEN = ['input', 'additional_data'];

/** Names that stand for two steps, and references to what is not there when the step runs: so none can go in circles. */
export function findReferenceFaults(steps: readonly PipelineStep[]): PipelineFault[] {
  const names = steps.map(({ name }) => name);
  return steps.flatMap((step, index) => {
    const at = ['steps', index];
    const isTaken = names.indexOf(step.name) !== index;
    const taken = isTaken ? [{ path: [...at, 'name'], message: 'must not be the name of another step' }] : [];
    const used = step.kind === 'tool' ? [['tool', step.tool] as const] : [];
    const clashes = used
      .filter(([, tool]) => steps.some(({ name, kind }) => kind !== 'tool' && name === tool))
      .map(([field]) => ({
        path: [...at, field],
        message: 'must not be the name of a step as well: rename the step',
      }));
    const references = referencesOf(step).flatMap(({ field, pointers }) =>
      pointers.flatMap((pointer) => {
        const message = faultOf(pointer, names, index);
        return message === null ? [] : [{ path: [...at, field], message }];
      }),
    );
    return [...taken, ...clashes, ...references];
  });
}

function referencesOf(
  step: PipelineStep,
): { readonly field: string; readonly pointers: readonly string[] }[] {
  return [...templatesOf(step), ...conditionsOf(step.when)];
}

function templatesOf(step: PipelineStep): { readonly field: string; readonly pointers: readonly string[] }[] {
  switch (step.kind) {
    case 'llm':
      return [{ field: 'prompt', pointers: pointersOf(step.prompt) ?? [] }];
    case 'tool':
      return [{ field: 'arguments', pointers: pointersOf(step.arguments) ?? [] }];
  }
}

function conditionsOf(when: Condition | undefined) {
  return when === undefined ? [] : [{ field: 'when', pointers: pointersInCondition(when) }];
}

function faultOf(pointer: string, names: readonly string[], index: number): string | null {
  const [root = '', name] = tokensOf(pointer);
  if (GIVEN.includes(root)) return null;
  if (root !== 'steps' || name === undefined)
    return `refers to ${pointer}: must begin with /input, /additional_data or /steps/NAME`;
  const place = names.indexOf(name);
  if (place === -1) return `refers to the step "${name}", which there is not`;
  return place < index ? null : `refers to the step "${name}", which does not come before this one`;
}
