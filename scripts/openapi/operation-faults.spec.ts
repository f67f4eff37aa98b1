import { expect, it } from '@jest/globals';
import { operationFaults } from './operation-faults.js';

const content = { 'application/json': { example: {} } };
const whole = {
  operationId: 'submitExecution',
  summary: 'Submit an execution',
  description: 'Accepts work.',
  requestBody: { content },
  responses: { '202': { content }, '204': {}, '404': { content: { 'application/problem+json': {} } } },
};

function faultsOf(operation: object): string[] {
  return operationFaults({ paths: { '/x/': { post: { ...whole, ...operation } } } });
}

it('lets an operation pass that says everything', () => {
  expect(faultsOf({})).toEqual([]);
});

it.each([
  [{ operationId: undefined }, '"" is no id such as listAgents: @Operation(id, …)'],
  [{ operationId: 'Execute_execute' }, '"Execute_execute" is no id such as listAgents: @Operation(id, …)'],
  [{ summary: '' }, 'it has no summary: @Operation(…, summary, …)'],
  [{ description: undefined }, 'it has no description: @Operation(…, description)'],
  [
    { requestBody: { content: { 'application/json': {} } } },
    'its body has no example: createZodDto(schema, example)',
  ],
  [
    { responses: { '202': { content: { 'application/json': {} } } } },
    'its answer 202 has no example: createZodDto(schema, example)',
  ],
])('names what is missing in %j', (change, fault) => {
  expect(faultsOf(change)).toEqual([`POST /x/: ${fault}`]);
});
