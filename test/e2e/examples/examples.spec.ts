import { afterAll, beforeAll, describe } from '@jest/globals';
import { whenAllRun } from '../../support/selection.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { askTheDocs } from './ask-the-docs.suite.js';
import { ExampleStack } from './example-stack.js';
import { offerDesk } from './offer-desk.suite.js';
import { orderWorkflow } from './order-workflow.suite.js';
import { sendOrder } from './send-order.suite.js';
import { smallExamples } from './small-examples.suite.js';
import { supportDeskProgram } from './support-desk-program.suite.js';
import { supportDesk } from './support-desk.suite.js';
import { toolServers } from './tool-servers.suite.js';

let stack: ExampleStack;
const opened = (): ExampleStack => stack;

describe('examples, with the queue in PostgreSQL', () => {
  beforeAll(async () => {
    stack = await ExampleStack.open('postgres');
  });
  afterAll(() => stack.close());

  // Examples that read the last request to the model, or all resources, run one after the other.
  describe('chat, approval', () => smallExamples(opened));
  describe('order-entry', () => sendOrder(opened));
  describe('offer-desk', () => offerDesk(opened));
  describe('order-workflow, order-review', () => orderWorkflow(opened));
  describe('ask-the-docs', () => askTheDocs(opened));
  describe('support-desk', () => {
    supportDesk(opened);
    supportDeskProgram(opened);
  });
  describe('tool-servers', () => toolServers(opened));
});

whenAllRun(() => {
  describeWithRedis('the support desk, with the queue in Redis', () => {
    beforeAll(async () => {
      stack = await ExampleStack.open('redis');
    });
    afterAll(() => stack.close());

    supportDesk(opened);
  });
});
