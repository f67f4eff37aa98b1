import type { Mutant } from './mutant.js';

const WORKFLOW = 'test/integration/worker/agents/order-entry-workflow.spec.ts';
const STEPS = 'libs/order-entry/src/agents/order-entry-workflow.ts';
const REVIEW = 'libs/order-entry/src/review/apply-review.spec.ts';
const REPORT = 'libs/order-entry/src/workflow/compose-report.spec.ts';

/** Order entry as a pipeline: the report, the review, and the data of requests. */
export const ORDER_WORKFLOW_MUTANTS: readonly Mutant[] = [
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/tools/save-reviewed-order-draft.tool.ts',
    find: 'bake: { ...bake, savedOrderRequestId: id }',
    replace: 'bake: { savedOrderRequestId: id }',
    spec: WORKFLOW,
    why: 'the report is in no message: the user interface has no card to show',
  },
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/workflow/compose-report.ts',
    find: 'openLines: open.length,',
    replace: 'openLines: 0,',
    spec: REPORT,
    why: 'the report says that nothing is open',
  },
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/workflow/compose-report.ts',
    find: 'summary: cutText(summary, LONGEST_SUMMARY),',
    replace: 'summary,',
    spec: REPORT,
    why: 'the report of a long order cannot be kept, and the order with it',
  },
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/tools/save-reviewed-order-draft.tool.ts',
    find: 'const params = applyReview(',
    replace: 'const params = ((given: typeof reviewed, _findings: unknown) => given)(',
    spec: WORKFLOW,
    why: 'a line that nobody can order counts as ready',
  },
  {
    row: 'S2-19',
    file: 'libs/agent-core/src/scopes/scope-outcome.ts',
    find: 'return outputSchema === undefined ? answered(ended.text) : answeredByFields(ended.text);',
    replace: 'return answered(ended.text);',
    spec: ['libs/agent-core/src/scopes/scope-outcome.spec.ts', WORKFLOW],
    why: 'the result of a review is a text in a message, and has no field of its own',
  },
  {
    row: 'S2-19',
    file: STEPS,
    find: "review: '{{/steps/review/reviewerAgentOutput}}',",
    replace: "review: { verdict: 'approved', findings: [] },",
    spec: WORKFLOW,
    why: 'what the reviewer found does not reach whoever asked for it',
  },
  {
    row: 'S2-19',
    file: 'libs/order-entry/src/review/apply-review.ts',
    find: 'line === index + 1 ? [problem] : []',
    replace: 'line === index ? [problem] : []',
    spec: REVIEW,
    why: 'the reviewer objects to one line, and the next one is left to a person',
  },
  {
    row: 'S2-22',
    file: STEPS,
    find: '      attachments: true,\n',
    replace: '',
    spec: 'libs/order-entry/src/agents/order-entry-workflow.spec.ts',
    why: 'a file that comes with an order is refused',
  },
  {
    row: 'S2-22',
    file: 'libs/executions/src/plan/agent-scopes.ts',
    find: 'step?.attachments === true ? claimOfFiles(parts.claim, request) : claim',
    replace: 'step === null ? claim : claimOfFiles(parts.claim, request)',
    spec: 'test/integration/worker/messages/attachments.spec.ts',
    why: 'every step pays for the files of the request',
  },
  {
    row: 'S2-22',
    file: 'libs/executions/src/plan/agent-scopes.ts',
    find: "'ATTACHMENT_LOST', ",
    replace: '',
    spec: 'test/integration/worker/messages/attachments.spec.ts',
    why: 'an execution whose file is gone ends as if its agent were broken',
  },
  {
    row: 'S2-22',
    file: 'libs/agent-core/src/pipelines/step-data.ts',
    find: 'values: { ...given, steps },',
    replace: 'values: { ...givenToTools, steps },',
    spec: 'libs/agent-core/src/pipelines/hidden-data.spec.ts',
    why: 'a whole web page goes to the model of a step',
  },
  {
    row: 'S2-22',
    file: 'libs/executions/src/plan/execution-plan.ts',
    find: 'const givenToTools = { input, additional_data: additionalData };',
    replace: 'const givenToTools = given;',
    spec: WORKFLOW,
    why: 'no tool of a pipeline knows the page that the user had open',
  },
  {
    row: 'S2-22',
    file: 'libs/order-entry/src/tools/read-page.tool.ts',
    find: '  isForeign: true,\n',
    replace: '',
    spec: WORKFLOW,
    why: 'what a page says reads as if it were ours',
  },
];
