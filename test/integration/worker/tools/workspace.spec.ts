import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WorkspaceFileStore } from '#libs/persistence';
import { workspaceTools } from '#libs/tool-sources';
import type { WorkspaceShelf } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let files: WorkspaceFileStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  files = new WorkspaceFileStore(world.dataSource);
});
afterAll(() => world.close());

const write = (content: string) =>
  aModelAnswer({ toolCalls: [aCall('write_file', 'c1', { path: 'notes/a.md', content })] });
const done = aModelAnswer({ text: 'done' });
const systemOf = (model: SequenceModel): string | undefined =>
  model.requests[0]?.messages.find(({ role }) => role === 'system')?.content;

it('an agent with tools of the workspace writes a file that its next turn is shown and reads (S4-6)', async () => {
  const tools = workspaceTools(files);
  await world.offer(tools);
  const first = await world.submit();
  const writing = new SequenceModel([write('Order 7 is late.'), done]);
  expect(await world.run(first.id, writing, tools)).toMatchObject({ status: 'completed' });
  expect(systemOf(writing)).toContain('(no files)\n');

  const { id } = await world.submit({ sessionId: first.sessionId });
  const calls = [
    aCall('search_files', 'c1', { text: 'ORDER' }),
    aCall('read_file', 'c2', { path: 'notes/a.md', offset: null }),
    aCall('read_file', 'c3', { path: '../a.md', offset: null }),
  ];
  const reading = new SequenceModel([aModelAnswer({ toolCalls: calls }), done]);
  expect(await world.run(id, reading, tools)).toMatchObject({ status: 'completed' });

  expect(systemOf(reading)).toContain('- [session] notes/a.md (16.0B)\n');
  expect(systemOf(reading)).toContain(
    'Tools for these files: list_files, read_file, search_files, write_file.',
  );
  const outputs = reading.requests[1]?.messages.filter(({ role }) => role === 'tool');
  expect(outputs?.map(({ content }) => content)).toEqual([
    expect.stringContaining('"text":"Order 7 is late."'),
    expect.stringContaining('"text":"Order 7 is late."'),
    expect.stringContaining('the path must be a relative path'),
  ]);
});

it('a write whose worker died before it was recorded is repeated, and takes effect once', async () => {
  const { id, sessionId } = await world.submit();
  const owner = { tenantId: 'default', sessionId };
  const leases = world.makeLeases();
  const dying: WorkspaceShelf = {
    list: (of) => files.list(of),
    read: (of, path) => files.read(of, path),
    write: async (of, file) => {
      const written = await files.write(of, file);
      leases.fenceAll();
      return written;
    },
  };
  await world.offer(workspaceTools(dying));
  const cutOff = await world.run(id, new SequenceModel([write('by the agent')]), workspaceTools(dying), {
    leases,
  });
  expect(cutOff).toMatchObject({ status: 'queued' });
  await files.write(owner, { path: 'notes/a.md', bytes: Buffer.from('by a client'), callKey: null });

  const asked: string[] = [];
  const watched: WorkspaceShelf = {
    ...dying,
    write: async (of, file) => {
      const written = await files.write(of, file);
      asked.push(written);
      return written;
    },
  };
  expect(await world.run(id, new SequenceModel([done]), workspaceTools(watched))).toMatchObject({
    status: 'completed',
  });
  expect(asked).toEqual(['repeated']);
  expect(String(await files.read(owner, 'notes/a.md'))).toBe('by a client');
});
