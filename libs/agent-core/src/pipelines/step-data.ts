import type { JsonObject, JsonValue } from '#libs/kernel';
import { asText, resolvePointer, tokensOf } from '#libs/policy';
import { asForeignContent } from '../foreign-mark.js';
import type { PipelineRules } from './pipeline-rules.js';
import type { SettledStep } from './step-state.js';

/** What the templates and conditions of a step are filled with. */
export interface StepData {
  /** For prompts: what a model may read. */
  readonly values: JsonObject;
  /** For arguments of tools and for conditions: also what no model may read. */
  readonly everything: JsonObject;
  /** The marks of what somebody outside wrote, by the names of the steps that it is of. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  /** The same of the item that something is done for. */
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

/** The data of each item of the list that this pointer leads to; null where it leads to none. */
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

/** How a model reads a value that came from this pointer: what somebody outside wrote stands between lines that say so. */
export function showToModel(data: StepData): (value: JsonValue | undefined, pointer: string) => string {
  return (value, pointer) =>
    marksOf(data, pointer).reduce((shown, mark) => asForeignContent(mark, shown), asText(value));
}

function marksOf({ foreign, ofItem }: StepData, pointer: string): readonly string[] {
  const [root, name = ''] = tokensOf(pointer);
  if (root === 'item') return ofItem;
  return root === 'steps' ? (foreign.get(name) ?? []) : [];
}
