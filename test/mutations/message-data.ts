import type { Mutant } from './mutant.js';

const DATA_SPEC = 'libs/order-entry/src/message-data/additional-data.spec.ts';
const RESULTS_SPEC = 'libs/order-entry/src/agent-results/agent-results.spec.ts';
const CATALOGUE_SPEC = 'libs/tooling/src/domains/domain-catalogue.spec.ts';

/** S2: what messages carry, and what the agents of order entry answer. */
export const MESSAGE_DATA_MUTANTS: readonly Mutant[] = [
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/agent-results/order-entry-workflow-result.ts',
    find: 'bake: { outputReport },',
    replace: 'bake: {},',
    spec: RESULTS_SPEC,
    why: 'the user interface never shows what the workflow came to',
  },
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/agent-results/order-entry-workflow-result.ts',
    find: 'result: { message, outputReport } }',
    replace: 'result: { message } }',
    spec: RESULTS_SPEC,
    why: 'later steps do not read what was reported',
  },
  {
    row: 'S2-18',
    file: 'libs/order-entry/src/agent-results/output-report.ts',
    find: 'z.strictObject({\n  summary',
    replace: 'z.looseObject({\n  summary',
    spec: [DATA_SPEC, RESULTS_SPEC],
    why: 'anything may be in a report',
  },
  {
    row: 'S2-19',
    file: 'libs/order-entry/src/agent-results/reviewer-agent-result.ts',
    find: 'return { result: { status',
    replace: 'return { bake: { outputReport: {} }, result: { status',
    spec: RESULTS_SPEC,
    why: 'what a reviewer says to its caller stays with the message',
  },
  {
    row: 'S2-19',
    file: 'libs/order-entry/src/agent-results/reviewer-agent-result.ts',
    find: 'result: { message, reviewerAgentOutput } }',
    replace: 'result: { message } }',
    spec: RESULTS_SPEC,
    why: 'whoever asked for a review does not get it',
  },
  {
    row: 'S2-22',
    file: 'libs/order-entry/src/message-data/dom-snapshot.ts',
    find: 'html: z.string().max(500_000).exactOptional(),',
    replace: '',
    spec: DATA_SPEC,
    why: 'a snapshot is of any type',
  },
  {
    row: 'S2-22',
    file: 'libs/order-entry/src/message-data/first-version.ts',
    find: '.filter(([key]) => !wrong.has(key))',
    replace: '',
    spec: DATA_SPEC,
    why: 'a snapshot of an earlier release is not of the type that is declared',
  },
  {
    row: 'S2-23',
    file: 'libs/order-entry/src/message-data/first-version.ts',
    find: '{ ...NOTHING_REPORTED, ...Object.fromEntries(fields) }',
    replace: '{ ...NOTHING_REPORTED }',
    spec: DATA_SPEC,
    why: 'what an earlier release has reported is lost on reading it',
  },
  {
    row: 'S2-23',
    file: 'libs/tooling/src/domains/data-upgrade.ts',
    find: 'this.earlier.slice(from)',
    replace: 'this.earlier.slice(-1)',
    spec: CATALOGUE_SPEC,
    why: 'data of the first version skip the versions between',
  },
  {
    row: 'S2-23',
    file: 'libs/tooling/src/domains/message-data-schemas.ts',
    find: 'const data = this.current(kept);',
    replace: 'const data = kept;',
    spec: CATALOGUE_SPEC,
    why: 'the model reads data of an earlier release as they were',
  },
];
