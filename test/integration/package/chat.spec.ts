import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Capstan, chatTurns, type ChatTurns } from '../../../packages/capstan/src/client/index.js';
import { ChatTransport, type ChatChunk } from '../../../packages/capstan/src/react/index.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { createKey } from '../api/api-keys.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { settleAndTell } from '../api/settle.js';

let database: TestDatabase;
let api: RunningApi;
let server: Capstan;
let turns: ChatTurns;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  const apiKey = await createKey(api.dataSource, ['executions:read', 'executions:write']);
  server = new Capstan({ baseUrl: api.url, apiKey });
  turns = chatTurns(server, 1);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const withToken = async ({ id }: { readonly id: string }) => {
  const { token } = await server.executions.createStreamToken(id);
  return { id, streamToken: token };
};

/** A page, which has no key: its server submits, and gives it a token. */
function page(): ChatTransport {
  return new ChatTransport({
    baseUrl: api.url,
    submit: async ({ chatId, messageId, text }) => withToken(await turns.submit({ chatId, messageId, text })),
    findOpen: async (chatId) => {
      const open = await turns.findOpen(chatId);
      return open && withToken(open);
    },
  });
}

const message = (id: string, text: string, role = 'user') => ({ id, role, parts: [{ type: 'text', text }] });
const send = (chatId: string, ...messages: ReturnType<typeof message>[]) =>
  page().sendMessages({
    ...{ trigger: 'submit-message', chatId, messageId: undefined, messages, abortSignal: undefined },
  });

async function readAll(stream: ReadableStream<ChatChunk> | null): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = [];
  if (stream !== null) for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** Answers the execution of this message in place of a worker. */
async function answer(input: string, content: string): Promise<string> {
  const id = await waitFor(
    async () => {
      const rows = await api.dataSource.query<{ id: string }[]>(
        `SELECT id FROM execution WHERE request ->> 'input' = $1 AND status = 'queued'`,
        [input],
      );
      return rows[0]?.id;
    },
    { description: `the execution of ${input}` },
  );
  await api.events.append(id, 2, [{ event: 'text_delta', data: { content: content.slice(0, 3), round: 1 } }]);
  await settleAndTell(api, id, 3, { content });
  return id;
}

describe('a chat of the AI SDK', () => {
  it('has a durable execution for each message, in one session, and follows it with a token alone', async () => {
    const stream = send('chat-1', message('m1', 'Where is it?'));
    const id = await answer('Where is it?', 'On its way.');

    const chunks = await readAll(await stream);

    expect(chunks).toMatchObject([
      { type: 'start', messageId: id },
      { type: 'text-start' },
      { type: 'text-delta', delta: 'On ' },
      { type: 'text-delta', delta: 'its way.' },
      { type: 'text-end' },
      { type: 'finish', messageMetadata: { execution_id: id, status: 'completed' } },
    ]);
    const second = send(
      'chat-1',
      message('m1', 'Where is it?'),
      message(id, 'Made up.', 'assistant'),
      message('m2', 'And now?'),
    );
    const next = await answer('And now?', 'Here.');
    await readAll(await second);
    const executions = await Promise.all([id, next].map((each) => server.executions.get(each)));
    expect(executions.map(({ turn_number: turn }) => turn)).toEqual([1, 2]);
    const sessions = await server.sessions.list({ metadata: { chat_id: 'chat-1' } });
    expect(sessions.data.map(({ uuid }) => uuid)).toEqual([executions[1]?.session_uuid]);
  });

  it('answers a message once, also where it is sent again', async () => {
    const first = await turns.submit({ chatId: 'chat 2/ä', messageId: 'm1', text: 'Once.' });
    expect((await turns.submit({ chatId: 'chat 2/ä', messageId: 'm1', text: 'Once.' })).id).toBe(first.id);
    await answer('Once.', 'Yes.');
    const second = await turns.submit({ chatId: 'chat 2/ä', messageId: 'm2', text: 'Twice.' });
    expect((await turns.submit({ chatId: 'chat 2/ä', messageId: 'm2', text: 'Twice.' })).id).toBe(second.id);
    expect(second.session_uuid).toBe(first.session_uuid);
  });

  it('is taken up again from the beginning of its open execution, and not after its end', async () => {
    const { id } = await turns.submit({ chatId: 'chat-3', messageId: 'm1', text: 'Slow.' });
    const resumed = await page().reconnectToStream({ chatId: 'chat-3' });
    await answer('Slow.', 'Done.');
    const chunks = await readAll(resumed);
    expect(chunks[0]).toEqual({ type: 'start', messageId: id });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    expect(await page().reconnectToStream({ chatId: 'chat-3' })).toBeNull();
    expect(await page().reconnectToStream({ chatId: 'never' })).toBeNull();
  });

  it('goes on in the service when the page leaves, and refuses a message without text', async () => {
    const leaving = new AbortController();
    const stream = await page().sendMessages({
      ...{ trigger: 'submit-message', chatId: 'chat-4', messageId: undefined, abortSignal: leaving.signal },
      messages: [message('m1', 'Stay.')],
    });
    leaving.abort();
    await expect(readAll(stream)).rejects.toThrow('aborted');
    expect(await turns.findOpen('chat-4')).not.toBeNull();
    await expect(send('chat-4', message('m2', ''))).rejects.toThrow('has no text');
  });
});
