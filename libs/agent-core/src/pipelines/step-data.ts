import type { JsonObject, JsonValue } from '#libs/kernel';
import { asText, resolvePointer, tokensOf } from '#libs/policy';
import { asForeignContent } from '../foreign-mark.js';
import type { PipelineRules } from './pipeline-rules.js';
import type { SettledStep } from './step-state.js';

/** Values that fill the templates and conditions of a step. */
export interface StepData {
  /** Values for prompts, which a model may read. */
  readonly values: JsonObject;
  /** Values for tool arguments and conditions, including those that no model may read. */
  readonly everything: JsonObject;
  /** Marks of foreign content, by the name of the step that produced it. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  /** Marks of foreign content in the current item of a map step. */
  readonly ofItem: readonly string[];
}

export function stepData(
  { given, givenToTools = given }: PipelineRules,
  settled: readonly SettledStep[],
): StepData {
  const succeeded = settled.flatMap(({ name, outcome }) =>
    outcome.status === 'succeeded' ? [{ name, ...outcome }] : [],
  );
  const steps = Object.fromEntries(succeeded.map(({ name, output }) => [name, output]));
  return {
    values: { ...given, steps },
    everything: { ...givenToTools, steps },
    foreign: new Map(succeeded.map(({ name, foreign = [] }) => [name, foreign] as const)),
    ofItem: [],
  };
}

/** The data for each item of the list at this pointer; null if the value is no list. */
export function dataOfItems(data: StepData, over: string): readonly StepData[] | null {
  const list = resolvePointer(data.values, over);
  if (!Array.isArray(list)) return null;
  const ofItem = marksOf(data, over);
  return (list as readonly JsonValue[]).map((item, index) => ({
    ...data,
    values: { ...data.values, item, index },
    everything: { ...data.everything, item, index },
    ofItem,
  }));
}

/** Formats a value for a prompt: foreign content is delimited with its marks. */
export function showToModel(data: StepData): (value: JsonValue | undefined, pointer: string) => string {
  return (value, pointer) =>
    marksOf(data, pointer).reduce((shown, mark) => asForeignContent(mark, shown), asText(value));
}

function marksOf({ foreign, ofItem }: StepData, pointer: string): readonly string[] {
  const [root, name = ''] = tokensOf(pointer);
  if (root === 'item') return ofItem;
  return root === 'steps' ? (foreign.get(name) ?? []) : [];
}
