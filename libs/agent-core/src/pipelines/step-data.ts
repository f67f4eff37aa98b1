import type { JsonObject, JsonValue } from '#libs/kernel';
import { asText, tokensOf } from '#libs/policy';
import { asForeignContent } from '../foreign-mark.js';
import type { PipelineRules } from './pipeline-rules.js';
import type { SettledStep } from './step-state.js';

/** What the templates and conditions of a step are filled with. */
export interface StepData {
  readonly values: JsonObject;
  /** The marks of outputs that somebody outside wrote, by the names of their steps. */
  readonly foreign: ReadonlyMap<string, string>;
}

export function stepData({ given }: PipelineRules, settled: readonly SettledStep[]): StepData {
  const succeeded = settled.flatMap(({ name, outcome }) =>
    outcome.status === 'succeeded' ? [{ name, ...outcome }] : [],
  );
  return {
    values: { ...given, steps: Object.fromEntries(succeeded.map(({ name, output }) => [name, output])) },
    foreign: new Map(
      succeeded.flatMap(({ name, foreign }) => (foreign === undefined ? [] : [[name, foreign] as const])),
    ),
  };
}

/** How a model reads a value that came from this pointer: what somebody outside wrote stands between lines that say so. */
export function showToModel({
  foreign,
}: StepData): (value: JsonValue | undefined, pointer: string) => string {
  return (value, pointer) => {
    const text = asText(value);
    const [root, name = ''] = tokensOf(pointer);
    const marks = root === 'steps' ? [...foreign].filter(([step]) => name === '' || step === name) : [];
    return marks.reduce((shown, [, mark]) => asForeignContent(mark, shown), text);
  };
}
