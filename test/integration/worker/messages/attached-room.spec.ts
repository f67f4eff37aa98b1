import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { AttachedRoom, AttachmentReader } from '#libs/executions';
import type { ExecutionView } from '#libs/payloads';
import { v7 as uuid } from 'uuid';
import { domains } from '../../../../apps/worker/src/domains.js';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

const SIZE = 30;

/** Reads every file as a picture of `SIZE` bytes. */
class Pictures extends AttachmentReader {
  override readBytes(): Promise<Buffer> {
    return Promise.resolve(Buffer.alloc(SIZE));
  }

  override readText(): Promise<never> {
    return Promise.reject(new Error('pictures have no text'));
  }
}

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
  world.attachments = new Pictures();
});
beforeEach(() => {
  world.attachedRoom = new AttachedRoom(SIZE);
});
afterAll(() => world.close());

const ask = (name: string): Promise<{ id: string }> => {
  const file = { id: uuid(), name, media_type: 'image/png', size_bytes: SIZE, sha256: '0'.repeat(64) };
  const request = { input: 'What is it?', options: {}, additional_data: { attachments: [file] } };
  return world.submit({ request });
};
const answering = () => new ScriptedModel([aModelAnswer({ text: 'Tomatoes.' })]);
const run = (id: string, model: ModelPort): Promise<ExecutionView> =>
  world.run(id, model, [], { messageData: domains.messageData });
const isWaiting = async (): Promise<void> => {
  await waitFor(() => world.attachedRoom.waiting > 0, { description: 'it to wait' });
};

/** Calls back during the model call of another execution, with files that fill the process's room for attachments. */
async function whileFull(meanwhile: () => Promise<void>): Promise<void> {
  const { id } = await ask('first.png');
  const first: ModelPort = {
    call: async () => {
      await meanwhile();
      return aModelAnswer({ text: 'Tomatoes.' });
    },
  };
  expect(await run(id, first)).toMatchObject({ status: 'completed' });
}

describe('an execution whose files have no room in its process', () => {
  it('waits until there is some, and runs then', async () => {
    const { id } = await ask('second.png');
    const model = answering();
    let second: Promise<ExecutionView> | undefined;
    await whileFull(async () => {
      second = run(id, model);
      await isWaiting();
      expect(model.requests).toEqual([]);
    });
    expect(await second).toMatchObject({ status: 'completed' });
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ media: [{ name: 'second.png' }] });
  });

  it('goes back into the line when its process is to end, and is no lost attempt', async () => {
    const { id } = await ask('second.png');
    await whileFull(async () => {
      const drain = new AbortController();
      const model = answering();
      const useCase = world.useCase(model, [], { messageData: domains.messageData });
      const second = useCase.execute(id, drain.signal);
      await isWaiting();
      drain.abort();
      await second;
      expect(model.requests).toEqual([]);
    });
    const [row] = await world.dataSource.query<[object]>(
      `SELECT status, attempt, lost_epoch FROM execution WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ status: 'queued', attempt: 1, lost_epoch: null });
    expect(await run(id, answering())).toMatchObject({ status: 'completed' });
  });
});
