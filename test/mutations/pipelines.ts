import type { Mutant } from './mutant.js';

const CORE = 'libs/agent-core/src/pipelines/pipeline.spec.ts';
const READING = 'libs/policy/src/pipelines/read-pipeline.spec.ts';

/** Agents of several steps. */
export const PIPELINE_MUTANTS: readonly Mutant[] = [
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/may-have-taken-effect.ts',
    find: 'return call.started && !call.outcomeMayLag;',
    replace: 'return false;',
    spec: CORE,
    why: 'a step is tried again although a tool that its model called may have taken effect',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/kinds/tool-kind.ts',
    find: 'const mayRepeat = !call.started || call.outcomeMayLag;',
    replace: 'const mayRepeat = true;',
    spec: CORE,
    why: 'an unsafe tool is called again where its step says so',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/decide-next-step.ts',
    find: 'if (step.when !== undefined && !holds(step.when, data.values))',
    replace: 'if (step.when !== undefined && holds(step.when, data.values))',
    spec: CORE,
    why: 'a step runs where its condition does not hold',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/decide-next-step.ts',
    find: 'if (end.mayRepeat && attempt < (step.retry?.max_attempts ?? 1))',
    replace: 'if (end.mayRepeat && attempt <= (step.retry?.max_attempts ?? 1))',
    spec: CORE,
    why: 'a step is tried once more than it says',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/decide-next-action.ts',
    find: 'if (round && round.rejected === undefined && round.number >= rules.maximumIterations)',
    replace: 'if (round && round.number >= rules.maximumIterations)',
    spec: CORE,
    why: 'a model is not asked once more where its last permitted answer does not fit',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/lost-model-call.ts',
    find: 'if (steps.length > 0 || last?.step !== undefined) return false;',
    replace: '',
    spec: 'libs/agent-core/src/pipelines/ends-from-outside.spec.ts',
    why: 'a call of a model is on the bill that a pipeline never made',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/usage-record.ts',
    find: 'const asked = state.rounds.filter(({ step }) => step === undefined);',
    replace: 'const asked = state.rounds;',
    spec: CORE,
    why: 'steps are on the bill as calls of a model of which nothing is known',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/step-data.ts',
    find: 'return marks.reduce((shown, [, mark]) => asForeignContent(mark, shown), text);',
    replace: 'return text;',
    spec: CORE,
    why: 'what somebody outside wrote reaches the model of a later step as if it were ours',
  },
  {
    row: 'S3-35',
    file: 'libs/policy/src/pipelines/find-reference-faults.ts',
    find: 'return place < index ? null',
    replace: 'return place <= index ? null',
    spec: READING,
    why: 'a step may read itself',
  },
  {
    row: 'S3-35',
    file: 'libs/policy/src/pipelines/template.ts',
    find: '(_place, pointer: string) => show(resolvePointer(data, pointer), pointer)',
    replace: '(_place, pointer: string) => fillText(show(resolvePointer(data, pointer), pointer), data)',
    spec: 'libs/policy/src/pipelines/template.spec.ts',
    why: 'what a tool answers is read as a template',
  },
  {
    row: 'S3-7',
    file: 'libs/executions/src/run/plan-parameters.ts',
    find: "return usecaseType === 'CUSTOM' ? withoutPipeline : (options) => options;",
    replace: 'return (options) => options;',
    spec: 'libs/executions/src/run/pipeline-plan.spec.ts',
    why: 'the model is given the pipeline as parameters',
  },
];
