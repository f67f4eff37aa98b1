import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort, ModelRequest } from '#libs/agent-core';
import { FileBlobs } from '#libs/blob-store';
import { ChildProcessParser } from '#libs/document-parsers';
import type { JsonObject } from '#libs/kernel';
import { responsesParameters } from '#libs/model-providers';
import { FileStore } from '#libs/persistence';
import type { AttachedFile } from '#libs/tooling';
import { v7 as uuid } from 'uuid';
import { StoredAttachments } from '../../../../apps/worker/src/attachments/stored-attachments.js';
import { domains } from '../../../../apps/worker/src/domains.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aPdf } from '../../../support/builders/pdf.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

const BOUNDS = { quota: { files: 100, bytes: 1e9 }, retentionMs: 60_000 };
const PNG = Buffer.from('\x89PNG\r\n\x1a\n a tomato', 'latin1');
const PDF = aPdf(['Twelve cases of tomatoes.']);
const program = join(import.meta.dirname, '../../../../dist/libs/document-parsers/src/parse-program.js');
const parser = new ChildProcessParser({ timeoutMs: 60_000, mostRssBytes: 1e9, mostChars: 1e7, program });

const TEXTS_ONLY = {
  ...{ ...BY_CHARACTERS, nativeMedia: [], parameters: responsesParameters },
  ...{ maxRetries: 1, prices: null, costOf: () => null },
};

let world: WorkerWorld;
let folder: string;
let blobs: FileBlobs;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
  folder = await mkdtemp(join(tmpdir(), 'attached-'));
  blobs = new FileBlobs(folder, () => Promise.resolve([]));
  const files = new FileStore(world.dataSource);
  world.attachments = new StoredAttachments({ files, blobs, parser });
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

async function attach(name: string, media_type: string, bytes: Buffer): Promise<AttachedFile> {
  const [id, sha256] = [uuid(), createHash('sha256').update(bytes).digest('hex')];
  const blobKey = `default/${id}`;
  const parts = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  const written = await blobs.write(blobKey, parts, { mostBytes: 1e9 });
  if (written === 'too_large') throw new Error('it is not');
  await new FileStore(world.dataSource).create(
    {
      id,
      tenantId: 'default',
      name,
      mediaType: media_type,
      original: { blobKey, ...written },
      expiresAt: null,
    },
    BOUNDS,
  );
  return { id, name, media_type, size_bytes: bytes.length, sha256 };
}

const ask = (attachments: readonly AttachedFile[], more: object = {}) =>
  world.submit({
    request: { input: 'What is it?', options: {}, additional_data: { attachments: [...attachments] } },
    ...more,
  });
const answering = (text = 'Tomatoes.') => new ScriptedModel([aModelAnswer({ text })]);
const run = (id: string, model: ModelPort) => world.run(id, model, [], { messageData: domains.messageData });
const questionOf = (request: ModelRequest | undefined) =>
  request?.messages.findLast(({ role }) => role === 'user');
const factsOf = (id: string): Promise<{ kind: string; version: number; data: JsonObject }[]> =>
  world.dataSource.query(
    `SELECT kind, version, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
    [id],
  );

describe('files that come with a request', () => {
  it('reach the model as they are where it reads such, else as the text in them, marked as foreign', async () => {
    const files = [
      await attach('tomato.png', 'image/png', PNG),
      await attach('invoice.pdf', 'application/pdf', PDF),
      await attach('notes.md', 'text/markdown', Buffer.from('# Notes\n\nThey are red.')),
    ];
    const { id } = await ask(files);
    const model = answering();
    expect(await run(id, model)).toMatchObject({ status: 'completed' });
    const question = questionOf(model.requests[0]);
    expect(question).toMatchObject({
      media: [
        { kind: 'image', name: 'tomato.png', mediaType: 'image/png', base64: PNG.toString('base64') },
        { kind: 'file', name: 'invoice.pdf', mediaType: 'application/pdf', base64: PDF.toString('base64') },
      ],
    });
    expect(question?.content).toMatch(
      /^What is it\?\n\nAttached file "notes\.md":\n\[foreign content (?<mark>[0-9a-f]{24}): .*\]\nNotes\nThey are red\.\n\[end of foreign content \k<mark>\]\n+attachments: tomato\.png \(image\/png\), invoice\.pdf \(application\/pdf\), notes\.md \(text\/markdown\)$/s,
    );
  });

  it('are pinned by their hashes, without their bytes', async () => {
    const [image, notes] = [
      await attach('tomato.png', 'image/png', PNG),
      await attach('notes.txt', 'text/plain', Buffer.from('Red.')),
    ];
    const { id } = await ask([image, notes]);
    await run(id, answering());
    const [prepared] = await factsOf(id);
    expect(prepared).toMatchObject({
      kind: 'execution_prepared',
      data: {
        attachments: [
          { fileId: image.id, hash: image.sha256, as: 'image' },
          {
            ...{ fileId: notes.id, hash: notes.sha256, as: 'text' },
            textHash: createHash('sha256').update('Red.').digest('hex'),
          },
        ],
      },
    });
    expect(JSON.stringify(await factsOf(id))).not.toContain(PNG.toString('base64'));
  });

  it('are kept with the message by reference, and later turns read their names alone (S2-22, S2-24)', async () => {
    const file = await attach('invoice.pdf', 'application/pdf', PDF);
    const { id, sessionId } = await ask([file]);
    await run(id, answering());
    const question = (await world.messagesOf(sessionId)).find(({ role }) => role === 'user');
    expect(question).toMatchObject({ content: 'What is it?', data: { attachments: [file] } });
    const next = await world.submit({
      ...{ sessionId, request: { input: 'And why?', options: {}, additional_data: {} } },
    });
    const model = answering('Because.');
    await run(next.id, model);
    const messages = model.requests[0]?.messages ?? [];
    expect(messages.filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', content: 'What is it?\n\n\n\nattachments: invoice.pdf (application/pdf)' },
      { role: 'user', content: 'And why?' },
    ]);
  });

  it('are read although they were deleted since', async () => {
    const file = await attach('tomato.png', 'image/png', PNG);
    const { id } = await ask([file]);
    await new FileStore(world.dataSource).delete('default', file.id, null);
    const model = answering();
    expect(await run(id, model)).toMatchObject({ status: 'completed' });
    expect(questionOf(model.requests[0])).toMatchObject({ media: [{ name: 'tomato.png' }] });
  });

  it('count as foreign content for the calls that follow', async () => {
    const charge = aTool('charge', { effect: 'unsafe', run: () => Promise.reject(new Error('never')) });
    await world.offer([charge], { require_approval_after_foreign_content: true });
    const { id } = await ask([await attach('tomato.png', 'image/png', PNG)]);
    const model = new ScriptedModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] })]);
    expect(await world.run(id, model, [charge])).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ tool_name: 'charge', reason: 'foreign_content' }] },
    });
    await world.offer([]);
  });

  it('are sent by a later attempt as the first one sent them, also after a change of the model’s types', async () => {
    const file = await attach('invoice.pdf', 'application/pdf', PDF);
    const { id } = await ask([file]);
    const second = answering();
    let wasPinned = false;
    const lost: ModelPort = {
      call: async () => {
        const isPinned = async () => (await factsOf(id)).length > 0;
        wasPinned = await waitFor(isPinned, { description: 'the pin', timeoutMs: 5_000 }).catch(() => false);
        await world.expireLease(id);
        // A new decision would send the file as text, because this model reads no files.
        const of = () => ({ ...TEXTS_ONLY, model: second });
        await world.run(id, second, [], { messageData: domains.messageData, models: { of } });
        return aModelAnswer({ text: 'too late' });
      },
    };
    await run(id, lost);
    expect(wasPinned).toBe(true);
    expect(questionOf(second.requests[0])).toMatchObject({
      media: [{ kind: 'file', base64: PDF.toString('base64') }],
    });
  });
});

describe('files that come with a request to an agent of steps', () => {
  const STEPS = [
    { name: 'read', kind: 'llm', prompt: 'Read {{/input}}', tools: [], attachments: true },
    { name: 'judge', kind: 'llm', prompt: 'Judge {{/steps/read}}', tools: [] },
  ];
  const offerSteps = async (type: 'CUSTOM' | 'BASIC_CHAT', config: object): Promise<void> => {
    await world.offer([], config);
    await world.dataSource.query(`UPDATE agent SET usecase_type = $1 WHERE id = 1`, [type]);
  };
  beforeAll(() => offerSteps('CUSTOM', { steps: STEPS }));
  afterAll(() => offerSteps('BASIC_CHAT', {}));

  it('are read by the step that says so, pinned with it, and by no other (S2-22)', async () => {
    const files = [
      await attach('tomato.png', 'image/png', PNG),
      await attach('notes.md', 'text/markdown', Buffer.from('They are red.')),
    ];
    const { id } = await ask(files);
    const model = new ScriptedModel([aModelAnswer({ text: 'tomatoes' })]);
    expect(await run(id, model)).toMatchObject({ status: 'completed' });
    const [read, judge] = model.requests.map(questionOf);
    expect(read).toMatchObject({ media: [{ kind: 'image', name: 'tomato.png' }] });
    expect(read?.content).toMatch(
      /^Read What is it\?\n\nAttached file "notes\.md":\n\[foreign content .*red\./s,
    );
    expect(judge).toEqual({ role: 'user', content: 'Judge tomatoes' });
    const prepared = (await factsOf(id)).filter(({ kind }) => kind === 'execution_prepared');
    // Facts of the pipeline, then of its two steps.
    expect(prepared.map(({ data }) => data['attachments'] !== undefined)).toEqual([false, true, false]);
  });

  it('end it where their bytes are gone, by a code that says so (S2-22)', async () => {
    const file = await attach('tomato.png', 'image/png', PNG);
    const { id } = await ask([file]);
    await blobs.remove(`default/${file.id}`);
    expect(await run(id, answering())).toMatchObject({
      status: 'failed',
      error: { code: 'ATTACHMENT_LOST' },
    });
  });
});

describe('a file that cannot be sent ends its execution with a clear error:', () => {
  const failed = async (file: AttachedFile, config: object = {}) => {
    await world.offer([], config);
    const { id } = await ask([file]);
    const { status, error } = await run(id, new ScriptedModel([]));
    await world.offer([]);
    return [status, error?.code, error?.message];
  };

  it('its bytes are gone', async () => {
    const file = await attach('a.png', 'image/png', PNG);
    await blobs.remove(`default/${file.id}`);
    const message = 'the attached file "a.png" no longer exists, or has changed';
    expect(await failed(file)).toEqual(['failed', 'ATTACHMENT_LOST', message]);
  });

  it('its bytes are others', async () => {
    const file = await attach('a.png', 'image/png', PNG);
    expect((await failed({ ...file, sha256: '0'.repeat(64) }))[1]).toBe('ATTACHMENT_LOST');
  });

  it('it is of another tenant', async () => {
    const file = await attach('a.png', 'image/png', PNG);
    await world.dataSource.query(
      `INSERT INTO tenant (id, name) VALUES ('acme', 'Acme') ON CONFLICT DO NOTHING`,
    );
    await world.dataSource.query(`UPDATE file SET tenant_id = 'acme' WHERE id = $1`, [file.id]);
    expect((await failed(file))[1]).toBe('ATTACHMENT_LOST');
  });

  it('it cannot be read', async () => {
    const file = await attach('a.pdf', 'application/pdf', aPdf(['x'], { encrypt: true }));
    const message =
      'the attached file "a.pdf" cannot be read: The file is encrypted: send it without a password.';
    expect(await failed(file, { native_media: [] })).toEqual(['failed', 'ATTACHMENT_UNREADABLE', message]);
  });

  it('the model reads nothing of the kind', async () => {
    const file = await attach('a.png', 'image/png', PNG);
    const message = 'the attached file "a.png" cannot be read: the model reads no image/png';
    expect(await failed(file, { native_media: ['pdf'] })).toEqual([
      'failed',
      'ATTACHMENT_UNREADABLE',
      message,
    ]);
  });
});
