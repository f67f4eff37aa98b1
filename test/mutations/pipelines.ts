import type { Mutant } from './mutant.js';

const CORE = 'libs/agent-core/src/pipelines/pipeline.spec.ts';
const FAILING = 'libs/agent-core/src/pipelines/failing-steps.spec.ts';
const KINDS = 'libs/agent-core/src/pipelines/step-kinds.spec.ts';
const READING = 'libs/policy/src/pipelines/read-pipeline.spec.ts';

/** Agents of several steps. */
export const PIPELINE_MUTANTS: readonly Mutant[] = [
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/may-have-taken-effect.ts',
    find: "if (scope === undefined) return call.started && effectOf(call) !== 'read';",
    replace: 'if (scope === undefined) return false;',
    spec: FAILING,
    why: 'a step is tried again although a tool may have taken effect',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/may-have-taken-effect.ts',
    find: "effectOf(call) !== 'read'",
    replace: "effectOf(call) === 'unsafe'",
    spec: FAILING,
    why: 'an idempotent tool is called again under another key',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/may-have-taken-effect.ts',
    find: 'return mayHaveTakenEffect(below, inside, scopes, effectOf);',
    replace: 'return below.length < 0;',
    spec: FAILING,
    why: 'a step is tried again although a tool that its model called may have taken effect',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/decide-next-step.ts',
    find: 'return outcome.to === null || placeOf(name) < placeOf(outcome.to);',
    replace: 'return outcome.to !== null && placeOf(name) < placeOf(outcome.to);',
    spec: KINDS,
    why: 'a branch to the end goes on',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/decide-next-step.ts',
    find: '!holds(step.when, data.values)',
    replace: 'holds(step.when, data.values)',
    spec: CORE,
    why: 'a step runs where its condition does not hold',
  },
  {
    row: 'S3-35',
    file: 'libs/agent-core/src/pipelines/decide-next-step.ts',
    find: 'attempt < (step.retry?.max_attempts ?? 1)',
    replace: 'attempt <= (step.retry?.max_attempts ?? 1)',
    spec: FAILING,
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
    find: 'marksOf(data, pointer).reduce((shown, mark) => asForeignContent(mark, shown), asText(value));',
    replace: 'asText(value);',
    spec: FAILING,
    why: 'what somebody outside wrote reaches the model of a later step as if it were ours',
  },
  {
    row: 'S3-35',
    file: 'libs/policy/src/pipelines/find-reference-faults.ts',
    find: 'if (place >= index)',
    replace: 'if (place > index)',
    spec: READING,
    why: 'a step may read itself',
  },
  {
    row: 'S3-35',
    file: 'libs/policy/src/pipelines/template.ts',
    find: '    show(resolvePointer(data, pointer), pointer),',
    replace: '    fillText(show(resolvePointer(data, pointer), pointer), data),',
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
