import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { BuiltinTools, CombinedToolSource, KnowledgeTools } from '#libs/tool-sources';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aPassage } from '../../../support/builders/passage.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { ScriptedRetriever } from '../../../support/fakes/scripted-retriever.js';
import { WorkerWorld } from '../worker-world.js';

const NOON = aPassage();
const VANS = aPassage({ chunk_id: 77, text: 'Vans are red.', score: 0.25 });

let world: WorkerWorld;
let retriever: ScriptedRetriever;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
beforeEach(async () => {
  retriever = new ScriptedRetriever(({ question }) => {
    const passages = question.includes('vans') ? [VANS, NOON] : [NOON];
    return Promise.resolve({ passages, datasources: 1, totalCandidates: 2 });
  });
  await isAgent();
});
afterAll(() => world.close());

async function isAgent(config: object = {}): Promise<void> {
  const tools = { search_knowledge: { datasource_ids: [3], citation_snippet_chars: 7 } };
  await world.dataSource.query(
    `UPDATE agent SET tools = $1, config = $2, usecase_type = 'BASIC_CHAT' WHERE id = 1`,
    [JSON.stringify(tools), JSON.stringify(config)],
  );
}

const searches = (...questions: string[]) =>
  new ScriptedModel([
    aModelAnswer({
      toolCalls: questions.map((question, at) => aCall('search_knowledge', `c${at}`, { question })),
    }),
    aModelAnswer({ text: 'At noon, in red vans.' }),
  ]);
const run = (id: string, model: ScriptedModel) =>
  world.run(id, model, [], {
    tools: new CombinedToolSource([new BuiltinTools([]), new KnowledgeTools(retriever)]),
  });

it('an agent that searches itself reads the passages as foreign content, and cites them, each chunk once', async () => {
  const { id } = await world.submit();
  const model = searches('When?', 'Which vans?');
  const view = await run(id, model);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['search_knowledge']);
  const [first, second] = (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
  expect(first?.content).toMatch(/^\[foreign content [0-9a-f]{24}: .*Parcels go out at noon\./s);
  expect(second?.content).toContain('Vans are red.');
  const citation = { datasource_id: 3, doc_id: aPassage().document_id, title: 'Handbook', rank: 1 };
  const citations = [
    { ...citation, chunk_id: 41, score: 0.8123, snippet: 'Parcels...' },
    { ...citation, chunk_id: 77, score: 0.25, snippet: 'Vans ar...' },
  ];
  expect(view).toMatchObject({
    status: 'completed',
    result: { message: { data: { citations } }, citations },
  });
  expect(view.usage).not.toHaveProperty('retrieval');
  expect(retriever.asked).toMatchObject([
    { tenantId: 'default', executionId: id, scope: '', question: 'When?' },
    { question: 'Which vans?' },
  ]);
  const events = await world.events.readAfter(id, 0, 100);
  expect(events.find(({ event }) => event === 'retriever_resources')?.data).toMatchObject({
    retriever_resources: [
      { content: NOON.text, position: 1 },
      { content: VANS.text, position: 2 },
    ],
  });
});

it('a call of it waits for a person where that is asked for', async () => {
  await isAgent({ require_approval: ['search_knowledge'] });
  const { id } = await world.submit();
  expect(await run(id, searches('When?'))).toMatchObject({
    status: 'requires_action',
    required_action: { calls: [{ tool_name: 'search_knowledge', tool_input: { question: 'When?' } }] },
  });
  expect(retriever.asked).toEqual([]);
});
