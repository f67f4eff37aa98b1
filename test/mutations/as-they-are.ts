import type { Mutant } from './mutant.js';

const STEPS = 'libs/tool-sources/src/json-schema/validation-steps.ts';
const STEPS_SPEC = 'libs/tool-sources/src/json-schema/compile-foreign-schema.spec.ts';
const REPAIR = 'libs/tooling/src/arguments/repair-arguments.ts';
const REPAIR_SPEC = 'libs/tooling/src/arguments/repair-arguments.spec.ts';

/** Real-world irregularities of model output, schemas and texts. */
export const AS_THEY_ARE_MUTANTS: readonly Mutant[] = [
  {
    row: 'as they are',
    file: 'libs/model-providers/src/tokenizer/load-encoding.ts',
    find: '  encoding.setMergeCacheSize(0);\n',
    replace: '',
    spec: 'libs/model-providers/src/tokenizer/count-tokens.spec.ts',
    why: 'the texts of one tenant slow down those of all others',
  },
  {
    row: 'as they are',
    file: REPAIR,
    find: 'return others.length === 0 ? (first ?? null) : null;',
    replace: 'return first ?? null;',
    spec: REPAIR_SPEC,
    why: 'a tool runs with one of two objects that a model wrote',
  },
  {
    row: 'as they are',
    file: REPAIR,
    find: 'text.length > MAX_GUESSED || isCut(text)',
    replace: 'text.length > MAX_GUESSED',
    spec: REPAIR_SPEC,
    why: 'arguments that were cut run as if they were whole',
  },
  {
    row: 'as they are',
    file: STEPS,
    find: 'if (this.depth > this.maxDepth) throw',
    replace: 'if (this.depth > Infinity) throw',
    spec: STEPS_SPEC,
    why: 'a chain of references ends a worker by its call stack',
  },
  {
    row: 'as they are',
    file: 'libs/tool-sources/src/json-schema/bound-schema.ts',
    find: 'if (found.size > MAX_SUBSCHEMAS) throw',
    replace: 'if (found.size > Infinity) throw',
    spec: 'libs/tool-sources/src/json-schema/bound-schema.spec.ts',
    why: 'a schema may have any number of parts',
  },
  {
    row: 'as they are',
    file: 'libs/agent-core/src/answers/empty-answer.ts',
    find: '!VISIBLE.test(stripThinkBlocks(answer.text))',
    replace: '!VISIBLE.test(answer.text)',
    spec: 'libs/agent-core/src/answers/empty-answer.spec.ts',
    why: 'an execution completes with nothing but a think block',
  },
  {
    row: 'as they are',
    file: 'libs/model-providers/src/calls/error-words.ts',
    find: "listed.filter((words) => words !== '').join('; ')",
    replace: "(listed[0] ?? '')",
    spec: 'libs/model-providers/src/calls/error-words.spec.ts',
    why: 'a list of faults of a provider says only its first',
  },
];
