import type { Mutant } from './mutant.js';

/** Requirements of S1. */
export const S1_MUTANTS: readonly Mutant[] = [
  {
    row: 'S1-65',
    file: 'libs/agent-core/src/display/strip-stream.ts',
    find: 'isInside = !isInside;',
    replace: 'isInside = true;',
    spec: 'libs/agent-core/src/display/think-blocks.spec.ts',
    why: 'everything after the first thought is hidden',
  },
  {
    row: 'S1-66',
    file: 'libs/agent-core/src/display/display-stream.ts',
    find: 'return state.hasSpoken ? [] :',
    replace: 'return toolNames.length > 0 ? [] :',
    spec: 'libs/agent-core/src/display/display-stream.spec.ts',
    why: 'a round that calls tools and says nothing shows nothing',
  },
  {
    row: 'S1-67',
    file: 'libs/agent-core/src/display/display-stream.ts',
    find: "const content = delta.content ?? '';",
    replace: 'const content = String(delta.content);',
    spec: 'libs/agent-core/src/display/display-stream.spec.ts',
    why: 'a piece without content is shown as the word null',
  },
  {
    row: 'S1-72',
    file: 'libs/tooling/src/failed-call-guard.ts',
    find: 'output: REPEATED_FAILURE_TEXT',
    replace: 'output: past.output',
    spec: 'libs/tooling/src/failed-call-guard.spec.ts',
    why: 'the model does not read that its call was not run again',
  },
];
