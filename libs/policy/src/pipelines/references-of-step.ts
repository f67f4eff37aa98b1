import { pointersInCondition, type Condition } from './condition.js';
import type { Pipeline, PipelineStep } from './pipeline.schema.js';
import { pointersOf } from './template.js';

/** The pointers in one field of a step, and the values that the field may refer to besides step outputs. */
export interface References {
  readonly path: readonly PropertyKey[];
  readonly pointers: readonly string[];
  readonly given: readonly string[];
}

/** Values that templates and conditions may refer to. */
const GIVEN = ['input', 'additional_data'];
/** Values that the inner step of a map may refer to. */
const OF_ITEM = [...GIVEN, 'item', 'index'];
/** Values that validation rules of the answer may refer to. */
const OF_ANSWER = [...GIVEN, 'answer'];

/** All references of the end of a pipeline. */
export function referencesOfEnding({
  output_format: format,
  validation_rules: rules = [],
}: Omit<Pipeline, 'steps'>): readonly References[] {
  const template = typeof format === 'object' ? Object.values(format)[0] : undefined;
  const pointers = template === undefined ? [] : (pointersOf(template) ?? []);
  const ofRules = rules.flatMap((rule, index) => [
    ...conditionsOf(rule.require, ['validation_rules', index, 'require'], OF_ANSWER),
    ...conditionsOf(rule.when, ['validation_rules', index, 'when'], OF_ANSWER),
  ]);
  return [{ path: ['output_format'], pointers, given: GIVEN }, ...ofRules];
}

/** All references of a step. */
export function referencesOf(step: PipelineStep): readonly References[] {
  return [...conditionsOf(step.when, ['when']), ...ofKind(step)];
}

function ofKind(step: PipelineStep): readonly References[] {
  switch (step.kind) {
    case 'branch':
      return step.cases.flatMap(({ when }, index) => conditionsOf(when, ['cases', index, 'when']));
    case 'map':
      return [
        { path: ['over'], pointers: [step.over], given: GIVEN },
        ...templateOf(step.do, ['do'], OF_ITEM),
      ];
    default:
      return templateOf(step, [], GIVEN);
  }
}

type Asking =
  Exclude<PipelineStep, { kind: 'branch' | 'map' }> | Extract<PipelineStep, { kind: 'map' }>['do'];

function templateOf(step: Asking, at: readonly PropertyKey[], given: readonly string[]): References[] {
  if (step.kind === 'tool')
    return [{ path: [...at, 'arguments'], pointers: pointersOf(step.arguments) ?? [], given }];
  return [{ path: [...at, 'prompt'], pointers: pointersOf(step.prompt) ?? [], given }];
}

function conditionsOf(
  when: Condition | undefined,
  path: readonly PropertyKey[],
  given: readonly string[] = GIVEN,
): References[] {
  return when === undefined ? [] : [{ path, pointers: pointersInCondition(when), given }];
}
