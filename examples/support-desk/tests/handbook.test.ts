import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Capstan } from 'capstan/client';
import { provideHandbook } from '../handbook.ts';

/** Documents of one text each; one that is followed becomes `ready`, or `failed` if its text is empty. */
class FakeDocuments {
  readonly rows: { id: string; title: string; text: string; state: string }[] = [];
  readonly followed: string[] = [];

  readonly client = {
    datasources: {
      list: () => [{ id: 1, name: 'handbook, chat and embed', llm_id: 2 }].values(),
    },
    documents: {
      list: () => this.rows.values(),
      download: (id: string) => Promise.resolve(new Blob([this.row(id).text])),
      delete: (id: string) => Promise.resolve(this.rows.splice(this.rows.indexOf(this.row(id)), 1)),
      create: ({ title, text }: { title: string; text: string }) => {
        const row = { id: `new ${title}`, title, text, state: 'waiting' };
        this.rows.push(row);
        return Promise.resolve(row);
      },
      follow: (id: string) => {
        this.followed.push(id);
        this.row(id).state = this.row(id).text === '' ? 'failed' : 'ready';
        return [].values();
      },
      get: (id: string) => Promise.resolve({ ...this.row(id), error_text: 'it is empty' }),
    },
  } as unknown as Capstan;

  add(title: string, text: string, state: string): void {
    this.rows.push({ id: `old ${title}`, title, text, state });
  }

  private row(id: string) {
    const found = this.rows.find((row) => row.id === id);
    assert.ok(found);
    return found;
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (title: string, text: string) => writeFileSync(join(folder, title), text);
const MODELS = { chatModel: 'chat', embedModel: 'embed' };
const read = (documents: FakeDocuments) =>
  provideHandbook(documents.client, pathToFileURL(`${folder}/`), MODELS);

test('waits for every document that is not ready yet, new or of an earlier run', async () => {
  const documents = new FakeDocuments();
  for (const state of ['ready', 'parsing', 'failed']) {
    write(`${state}.md`, state);
    documents.add(`${state}.md`, state, state);
  }
  write('changed.md', 'after');
  documents.add('changed.md', 'before', 'ready');
  await read(documents);
  assert.deepEqual(documents.followed.toSorted(), ['new changed.md', 'new failed.md', 'old parsing.md']);
  assert.deepEqual(documents.rows.map(({ id, state }) => `${id}: ${state}`).toSorted(), [
    'new changed.md: ready',
    'new failed.md: ready',
    'old parsing.md: ready',
    'old ready.md: ready',
  ]);
});

test('throws where one cannot be read, with its name and the reason', async () => {
  write('empty.md', '');
  await assert.rejects(read(new FakeDocuments()), { message: 'empty.md: it is empty' });
});
