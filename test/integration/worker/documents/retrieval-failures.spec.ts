import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { answering, DocumentsWorld, userTexts } from '../documents-world.js';
import type { WorkerWorld } from '../worker-world.js';

let documents: DocumentsWorld;
let world: WorkerWorld;
beforeAll(async () => {
  documents = await DocumentsWorld.open();
  world = documents.worker;
});
afterEach(() => documents.reset());
afterAll(() => world.close());

describe('a retrieval that fails', () => {
  const failing = (options: ConstructorParameters<typeof AppError>[0]) => () =>
    Promise.reject(new AppError(options));

  it('ends the execution in its words where it will not pass, and the model is not asked', async () => {
    documents.retriever.find = failing({
      code: 'VALIDATION_ERROR',
      kind: 'invalid_input',
      message: 'There is no datasource 3.',
    });
    const { id } = await documents.ask('When?');
    expect(await world.run(id, new SequenceModel([]))).toMatchObject({
      status: 'failed',
      error: { code: 'VALIDATION_ERROR', message: 'There is no datasource 3.' },
      result: null,
      usage: { total_tokens: 0 },
    });
  });

  it('puts the execution off where it may pass', async () => {
    documents.retriever.find = failing({
      code: 'RETRIEVAL_FAILED',
      kind: 'unavailable',
      message: 'The server is busy.',
      retryable: true,
    });
    const { id } = await documents.ask('When?');
    expect(await world.run(id, new SequenceModel([]))).toMatchObject({
      status: 'queued',
      waiting_for: { kind: 'provider_backoff', message: 'The server is busy.' },
    });
  });

  it('says nothing of an exception', async () => {
    documents.retriever.find = () => Promise.reject(new Error('password=hunter2'));
    const { id } = await documents.ask('When?');
    const view = await world.run(id, new SequenceModel([]));
    expect(view).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(view)).not.toContain('hunter2');
  });

  it('does not delay an execution that is cancelled during it, with or without regard for its signal', async () => {
    const { id } = await documents.ask('When?');
    const claimed = new AbortController();
    documents.retriever.find = () => {
      claimed.abort();
      return new Promise<never>(() => undefined);
    };
    const running = world.run(id, new SequenceModel([]), [], { leases: cancelling(claimed.signal) });
    expect(await running).toMatchObject({ status: 'cancelled' });
  });
});

/** Leases that report a cancellation to their holders as soon as `signal` is aborted. */
function cancelling(signal: AbortSignal) {
  const leases = world.makeLeases();
  return Object.assign(Object.create(leases) as typeof leases, {
    hold: (...[claim, abort, askedAt]: Parameters<typeof leases.hold>) => {
      signal.addEventListener('abort', () => abort.abort('cancelled'));
      return leases.hold(claim, abort, askedAt);
    },
  });
}

describe('a type of usecase', () => {
  it('without a runner ends the execution clearly (S3-30, S3-36)', async () => {
    await world.dataSource.query(`UPDATE agent SET usecase_type = 'CUSTOM_CHAT' WHERE id = 1`);
    const { id } = await documents.ask('When?');
    expect(await world.run(id, new SequenceModel([]))).toMatchObject({
      status: 'failed',
      error: { code: 'UNSUPPORTED_USECASE_TYPE', message: 'Unsupported usecase_type' },
    });
    expect(documents.retriever.asked).toEqual([]);
  });

  it('BASIC_CHAT looks for nothing, and its model has its own parameters (S3-36)', async () => {
    await documents.reset({ temperature: 0.5 }, 'BASIC_CHAT');
    const { id } = await documents.ask('When?');
    const model = answering();
    const view = await world.run(id, model);
    expect(documents.retriever.asked).toEqual([]);
    expect(userTexts(model)).toEqual(['When?']);
    expect(view.usage).not.toHaveProperty('retrieval');
  });
});
