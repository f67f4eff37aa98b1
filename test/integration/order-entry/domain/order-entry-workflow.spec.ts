import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { toPipelineConfig } from '#libs/project';
import { isStrictSchema } from '#libs/tooling';
import { orderEntryWorkflow } from '../../../../examples/order-entry/capstan/domains/order-entry/agents/order-entry-workflow.ts';

const config = toPipelineConfig(orderEntryWorkflow, (name) => (name === 'reviewerAgent' ? 7 : 0));
const steps = config['steps'] as readonly JsonObject[];

describe('the steps of orderEntryWorkflow', () => {
  it('are extract, match, draft, review and report; a page and a customer where there is one (S2-18)', () => {
    expect(steps.map(({ name, kind }) => [name, kind])).toEqual([
      ['page', 'tool'],
      ['extract', 'llm'],
      ['is_order', 'branch'],
      ['account', 'tool'],
      ['customer', 'tool'],
      ['match', 'map'],
      ['draft', 'llm'],
      ['review', 'agent'],
      ['report', 'tool'],
    ]);
    expect(steps.find(({ name }) => name === 'review')).toMatchObject({ agent: 7 });
  });

  it('ask for answers that a provider can hold their models to (S2-10)', () => {
    const schemas = steps.flatMap(({ name, output_schema }) =>
      output_schema === undefined ? [] : [[name, isStrictSchema(output_schema as JsonObject)]],
    );
    expect(schemas).toEqual([
      ['extract', true],
      ['draft', true],
      ['review', true],
    ]);
  });

  it('read the files of the request once, where the lines are extracted (S2-22)', () => {
    expect(steps.filter(({ attachments }) => attachments === true).map(({ name }) => name)).toEqual([
      'extract',
    ]);
  });
});
