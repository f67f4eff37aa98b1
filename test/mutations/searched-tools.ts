import type { Mutant } from './mutant.js';

const CALL_TOOL = 'libs/tooling/src/search/call-tool.ts';
const CALL_TOOL_SPEC = 'libs/tooling/src/search/call-tool.spec.ts';
const LISTED = 'libs/tooling/src/search/listed-tools.ts';
const SEARCHED_SPEC = 'libs/tooling/src/search/searched-tools.spec.ts';
const OFFERED = 'libs/executions/src/plan/offered-tools.ts';
const PLAN = 'libs/executions/src/plan/execution-plan.ts';
const PROMPT = 'libs/agent-core/src/prompt.ts';
const RUN_SPEC = 'test/integration/worker/tools/searched-tools.spec.ts';

/** Tool search, for agents with too many tools for a prompt. */
export const SEARCHED_TOOLS_MUTANTS: readonly Mutant[] = [
  {
    row: 'searched-tools',
    file: CALL_TOOL,
    find: 'return name !== CALL_TOOL && catalogue.find(name) !== undefined;',
    replace: 'return catalogue.find(name) !== undefined || name.length > 0;',
    spec: CALL_TOOL_SPEC,
    why: 'a name that a model made up comes to stand in journal and audit',
  },
  {
    row: 'searched-tools',
    file: LISTED,
    find: 'own.length + SEARCH_MODE_TOOLS <= most',
    replace: 'own.length <= most',
    spec: SEARCHED_SPEC,
    why: 'a model is given two tools more than its provider takes',
  },
  {
    row: 'searched-tools',
    file: OFFERED,
    find: 'return preparation.listed ?? null;',
    replace: 'return listedTools(catalogue, mostListed);',
    spec: RUN_SPEC,
    why: 'an execution that goes on under another limit shows its model other tools',
  },
  {
    row: 'searched-tools',
    file: PLAN,
    find: 'present(own, listed, unchanged, toolSearch.indexTools)',
    replace: 'present(own, listed, own.describe(), toolSearch.indexTools)',
    spec: RUN_SPEC,
    why: 'a search finds a tool as it is now, and not as the execution was given it',
  },
  {
    row: 'searched-tools',
    file: PROMPT,
    find: 'const { toolName: name, arguments: written } = asAsked(call);',
    replace: 'const { toolName: name, arguments: written } = call;',
    spec: RUN_SPEC,
    why: 'a model is shown calls of tools that it was never given',
  },
];
