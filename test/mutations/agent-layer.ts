import type { Mutant } from './mutant.js';

const FACTORY = 'libs/executions/src/runners/agent-usecase-factory.spec.ts';

/** Rules for authors of tools and agents, and the code that runs tools and agents. */
export const AGENT_LAYER_MUTANTS: readonly Mutant[] = [
  {
    row: 'S2-1',
    file: 'libs/tooling/src/domains/find-confusable.ts',
    find: ".replace(/s$/, '')",
    replace: '',
    spec: 'libs/tooling/src/domains/find-confusable.spec.ts',
    why: 'a model has to choose between search_item and search_items',
  },
  {
    row: 'S2-1',
    file: 'libs/tooling/src/domains/domain-catalogue.ts',
    find: 'if (found && owner)',
    replace: 'if (found && owner && owned.length < 2)',
    spec: 'libs/tooling/src/domains/domain-catalogue.spec.ts',
    why: 'two domains have tools that read alike',
  },
  {
    row: 'S2-4',
    file: 'libs/order-entry/src/tools/get-order-request.tool.ts',
    find: 'result: { message, referencedOrderRequestId: order.id },',
    replace: 'result: { message },',
    spec: 'test/integration/order-entry/save-order-draft.spec.ts',
    why: 'what a program works with stands in the words for the model alone',
  },
  {
    row: 'S2-38',
    file: 'libs/order-entry/src/order-draft/stage-order-draft.ts',
    find: 'staged: [{ kind: ORDER_REQUEST_SAVED, data }] };',
    replace: 'staged: [] };',
    spec: 'test/integration/order-entry/data-flow.spec.ts',
    why: 'the model and the user read of an order that is stored nowhere',
  },
  {
    row: 'S2-38',
    file: 'libs/order-entry/src/tools/save-order-draft.tool.ts',
    find: 'bake: { savedOrderRequestId: id } satisfies BakedByOrderEntry,',
    replace: '',
    spec: 'test/integration/order-entry/data-flow.spec.ts',
    why: 'the message does not say which order was saved',
  },
  {
    row: 'S2-39',
    file: 'libs/order-entry/src/tools/search-customers.tool.ts',
    find: "import type { EntityManager } from 'typeorm';",
    replace: "import { Entity, type EntityManager } from 'typeorm';\n@Entity()\nexport class Found {}",
    spec: 'libs/order-entry/src/tools/order-entry-tools.spec.ts',
    why: 'a tool defines a table',
  },
  {
    row: 'S3-32',
    file: 'apps/api/src/http/disabled-auth.ts',
    find: 'if (sign === null) return;',
    replace: 'if (sign === undefined) return;',
    spec: 'test/integration/api/api-keys/without-keys.spec.ts',
    why: 'without keys, nobody is served',
  },
  {
    row: 'S3-36',
    file: 'libs/executions/src/runners/agent-usecase-factory.ts',
    find: 'CUSTOM: new CustomRunner(),',
    replace: 'CUSTOM: new BasicChatRunner(),',
    spec: FACTORY,
    why: 'a pipeline is prepared as a chat',
  },
  {
    row: 'S3-40',
    file: 'libs/executions/src/runners/agent-usecase-factory.ts',
    find: "['BASIC_CHAT', 'RAG_CHAT', 'CUSTOM'] as const",
    replace: "['BASIC_CHAT', 'CUSTOM', 'RAG_CHAT'] as const",
    spec: FACTORY,
    why: 'the types of usecase come in another order than they were to be built in',
  },
];
