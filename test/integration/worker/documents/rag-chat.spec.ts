import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { domains } from '../../../../apps/worker/src/domains.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aPassage } from '../../../support/builders/passage.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel, SequenceModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { answering, BOXES, DocumentsWorld, FOUND, NOON, userTexts } from '../documents-world.js';
import type { WorkerWorld } from '../worker-world.js';

let documents: DocumentsWorld;
let world: WorkerWorld;
beforeAll(async () => {
  documents = await DocumentsWorld.open();
  world = documents.worker;
});
afterEach(() => documents.reset());
afterAll(() => world.close());

describe('an agent that answers from documents', () => {
  it('asks the model with what was found, and answers with where it comes from (S3-21, S3-34, 3.H-13)', async () => {
    const { id, sessionId } = await documents.ask('When do parcels go out?');
    const model = answering();
    const view = await world.run(id, model);
    const [text] = userTexts(model);
    expect(text).toMatch(
      /\[foreign content (?<mark>[0-9a-f]{24}): .*\]\nParcels go out at noon\.\nBoxes are blue\.\n\[end of foreign content \k<mark>\]\n\nQuestion: When do parcels go out\?$/s,
    );
    const ids = { datasource_id: 3, doc_id: NOON.document_id };
    const citations = [
      { ...ids, chunk_id: 41, title: 'Handbook', score: 0.8123, rank: 1, snippet: NOON.text },
      { ...ids, chunk_id: 42, title: 'Handbook', score: 0.5, rank: 2, snippet: BOXES.text },
    ];
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'At noon.', data: { citations } }, citations },
      usage: {
        retrieval: { datasources: 1, total_candidates: 9, used_chunks: 2, top_k_requested: 5 },
      },
    });
    const [, question, answer] = await world.messagesOf(sessionId);
    expect(question).toMatchObject({ role: 'user', content: 'When do parcels go out?' });
    expect(answer).toMatchObject({ role: 'assistant', data: { citations } });
  });

  it('looks for what is asked as its config and the options of the request say (S3-26, 3.H-13)', async () => {
    await documents.reset({ top_k: 7, score_threshold: 0.1, retrieval_mode: 'MERGE_RANK', temperature: 1 });
    await world.dataSource.query(`UPDATE llm SET extra = '{"top_k": 40, "top_p": 0.5}' WHERE id = 1`);
    const options = { top_k: 9, datasource_ids: [4, 5] };
    const request = { input: 'What?', options, additional_data: {} };
    const { id } = await world.submit({ request });
    const model = answering();
    expect(await world.run(id, model)).toMatchObject({ usage: { retrieval: { top_k_requested: 9 } } });
    expect(documents.retriever.asked).toMatchObject([
      {
        ...{ tenantId: 'default', executionId: id, scope: '', question: 'What?' },
        parameters: { datasource_ids: [4, 5], top_k: 9, score_threshold: 0.1, retrieval_mode: 'MERGE_RANK' },
      },
    ]);
    expect(model.requests[0]?.parameters).toEqual({ temperature: 1, top_p: 0.5, top_k: 40 });
    await world.dataSource.query(`UPDATE llm SET extra = '{}' WHERE id = 1`);
  });

  it('reports its sources with the fields that clients know (3.E-9)', async () => {
    const { id } = await documents.ask('When?');
    await world.run(id, answering());
    const events = await world.events.readAfter(id, 0, 100);
    const names = events.map(({ event }) => event);
    expect(names.slice(-2)).toEqual(['retriever_resources', 'result']);
    expect(events.find(({ event }) => event === 'retriever_resources')?.data).toMatchObject({
      context: '',
      retriever_resources: [
        {
          content: NOON.text,
          position: 1,
          dataset_id: 3,
          document_id: NOON.document_id,
          document_name: 'Handbook',
          segment_id: 41,
          score: NOON.score,
          page: null,
          hit_count: null,
        },
        { content: BOXES.text, position: 2, segment_id: 42, page: 3 },
      ],
    });
  });

  it('answers without context where nothing is found (3.H-13)', async () => {
    documents.retriever.find = () => Promise.resolve({ passages: [], datasources: 1, totalCandidates: 0 });
    const { id } = await documents.ask('When?');
    const model = answering('I do not know.');
    const view = await world.run(id, model);
    expect(userTexts(model)).toEqual(['When?']);
    expect(view).toMatchObject({
      result: { message: { data: {} }, citations: [] },
      usage: { retrieval: { datasources: 1, total_candidates: 0, used_chunks: 0, top_k_requested: 5 } },
    });
    expect(await world.eventNames(id)).not.toContain('retriever_resources');
  });

  it('goes on in a conversation with questions and answers alone (3.H-13)', async () => {
    const { id, sessionId } = await documents.ask('When?');
    await world.run(id, answering());
    const next = await documents.ask('And why?', { sessionId });
    const model = answering();
    await world.run(next.id, model, [], { messageData: domains.messageData });
    const texts = model.requests[0]?.messages.filter(({ role }) => role !== 'system') ?? [];
    expect(texts.map(({ content }) => content)).toEqual([
      'When?',
      'At noon.',
      expect.stringContaining('And why?'),
    ]);
  });

  it('leaves room for what was found in a conversation that has grown', async () => {
    await documents.reset({ context_size: 1_000, max_output_tokens: 100 });
    const first = await documents.ask('a'.repeat(300));
    await world.run(first.id, answering('b'.repeat(200)));
    const passages = [aPassage({ text: 'p'.repeat(400) })];
    documents.retriever.find = () => Promise.resolve({ passages, datasources: 1, totalCandidates: 1 });
    const { id } = await documents.ask('And why?', { sessionId: first.sessionId });
    const model = answering();
    await world.run(id, model, [], { messageData: domains.messageData });
    const texts = model.requests[0]?.messages.map(({ content }) => content) ?? [];
    expect(texts.join('').length).toBeLessThanOrEqual(900);
    expect(texts.at(-1)).toContain('p'.repeat(400));
    const [prepared] = await documents.factsOf(id);
    expect(prepared?.data).toMatchObject({ history: { messages: 0, isCut: true }, retrieval: { passages } });
  });
});

it('passages for a model with a small context window are as many of the best, whole, as fit (3.H-13)', async () => {
  await documents.reset({ context_size: 1_000, max_output_tokens: 100 });
  const passages = [1, 2, 3].map((rank) =>
    aPassage({ text: String(rank).repeat(300), rank, chunk_id: rank }),
  );
  documents.retriever.find = () => Promise.resolve({ passages, datasources: 1, totalCandidates: 9 });
  const { id } = await documents.ask('Why?');
  const model = answering();
  const view = await world.run(id, model, [], { messageData: domains.messageData });
  const texts = model.requests[0]?.messages.map(({ content }) => content) ?? [];
  expect(texts.join('').length).toBeLessThanOrEqual(900);
  expect(texts.at(-1)).toContain(`${'1'.repeat(300)}\n${'2'.repeat(300)}\n[end of foreign content`);
  expect(view).toMatchObject({
    result: { citations: [{ chunk_id: 1 }, { chunk_id: 2 }] },
    usage: { retrieval: { used_chunks: 2, total_candidates: 9 } },
  });
  expect(view.result?.citations).toHaveLength(2);
  const events = await world.events.readAfter(id, 0, 100);
  const resources = events.find(({ event }) => event === 'retriever_resources');
  expect(resources?.data).toMatchObject({ retriever_resources: [{ segment_id: 1 }, { segment_id: 2 }] });
  const [prepared] = await documents.factsOf(id);
  expect(prepared?.data).toMatchObject({
    retrieval: { passages: passages.slice(0, 2) },
    warnings: ['1 of 3 passages were left out: the model cannot read as much at once'],
  });
});

/** A model that lets the lease expire during its call; `next` learns whether the retrieval was durable by then. */
function isLostWhileAsked(id: string, next: (isPinned: boolean) => Promise<unknown>): ModelPort {
  return {
    call: async () => {
      const isPinned = await waitFor(async () => (await documents.factsOf(id)).length > 0, PINNED).catch(
        () => false,
      );
      await world.expireLease(id);
      await next(isPinned);
      return aModelAnswer({ text: 'too late' });
    },
  };
}

const PINNED = { description: 'what was found to be durable', timeoutMs: 5_000 };

describe('found passages', () => {
  it('is pinned before the model has answered, and is looked for once (3.H-13)', async () => {
    const { id } = await documents.ask('When?');
    const second = answering('At last.');
    let wasPinned = false;
    await world.run(
      id,
      isLostWhileAsked(id, async (isPinned) => {
        wasPinned = isPinned;
        documents.retriever.find = () => Promise.reject(new Error('nobody looks again'));
        await isOtherAgent();
        await world.run(id, second);
      }),
    );
    expect(wasPinned).toBe(true);
    expect(userTexts(second)[0]).toMatch(/Parcels go out at noon\./);
    expect(documents.retriever.asked).toHaveLength(1);
    const facts = await documents.factsOf(id);
    expect(facts.map(({ kind }) => kind)).toEqual([
      'execution_prepared',
      'model_call_lost',
      'model_call_completed',
      'execution_settled',
    ]);
    expect(await world.executions.find('default', id)).toMatchObject({
      result: { citations: [{ chunk_id: 41 }, { chunk_id: 42 }] },
    });
  });

  it('is pinned where the worker is asked to stop before the model is asked', async () => {
    const { id } = await documents.ask('When?');
    documents.retriever.find = () => {
      world.drain.abort();
      return Promise.resolve(FOUND);
    };
    const never = new SequenceModel([]);
    expect(await world.run(id, never)).toMatchObject({ status: 'queued' });
    world.drain = new AbortController();
    documents.retriever.find = () => Promise.reject(new Error('nobody looks again'));
    expect(await world.run(id, answering())).toMatchObject({
      status: 'completed',
      result: { citations: [{ chunk_id: 41 }, { chunk_id: 42 }] },
    });
  });

  it('counts as foreign content for the calls that follow', async () => {
    const charge = aTool('charge', { effect: 'unsafe', run: () => Promise.reject(new Error('never')) });
    await world.offer([charge], { datasource_ids: [3], require_approval_after_foreign_content: true });
    const { id } = await documents.ask('When?');
    const model = new ScriptedModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] })]);
    expect(await world.run(id, model, [charge])).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ tool_name: 'charge', reason: 'foreign_content' }] },
    });
  });

  async function isOtherAgent(): Promise<void> {
    await world.dataSource.query(
      `UPDATE agent SET config = '{"datasource_ids": [99], "top_k": 1}' WHERE id = 1`,
    );
  }
});
