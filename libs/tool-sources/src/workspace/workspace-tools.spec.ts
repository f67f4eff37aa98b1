import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { WORKSPACE_TOOLS } from '#libs/policy';
import {
  readToolReturn,
  ToolCatalogue,
  maxOutputBytesOf,
  type ToolContext,
  type ToolDefinition,
} from '#libs/tooling';
import { InMemoryShelf } from '../../../../test/support/fakes/in-memory-shelf.js';
import { workspaceTools } from './workspace-tools.js';

const CONTEXT: ToolContext = {
  ...{ tenantId: 't', executionId: 'e', sessionId: 's', scope: '', executor: null, idempotencyKey: 'e.1.0' },
  signal: new AbortController().signal,
  events: { progress: () => undefined },
};

let shelf: InMemoryShelf;
let tools: readonly ToolDefinition[];
beforeEach(() => {
  shelf = new InMemoryShelf();
  tools = workspaceTools(shelf);
});

const put = (path: string, content: string | Buffer, owner = CONTEXT): Promise<unknown> =>
  shelf.write(owner, { path, bytes: Buffer.from(content), callKey: null });

async function call(name: string, input: object, context: Partial<ToolContext> = {}): Promise<unknown> {
  const tool = tools.find((known) => known.name === name);
  const read = new ToolCatalogue(tools).readerOf(name)?.(input as JsonObject);
  if (tool === undefined || read?.success !== true) throw new Error(`${name} refuses its input`);
  const returned = await tool.run(read.data, { ...CONTEXT, ...context });
  return JSON.parse(readToolReturn(returned, maxOutputBytesOf(tool)).output);
}
const succeeded = (result: object): object => ({ status: 'success', result });
const failed = (words: string): object => ({
  status: 'error',
  result: { message: expect.stringContaining(words) },
});

it('the tools say their effects honestly, and mark contents as foreign', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual([...WORKSPACE_TOOLS].sort());
  const effects = Object.fromEntries(tools.map(({ name, effect, isForeign }) => [name, [effect, isForeign]]));
  expect(effects).toEqual({
    list_files: ['read', undefined],
    read_file: ['read', true],
    search_files: ['read', true],
    write_file: ['idempotent', undefined],
  });
});

describe('write_file', () => {
  it('writes a text that read_file and list_files then show, and no other conversation', async () => {
    const content = 'Grüße\n"注文"';
    expect(await call('write_file', { path: 'a/b.md', content })).toEqual(
      succeeded({ path: 'a/b.md', bytes: 16 }),
    );
    expect(await call('list_files', {})).toEqual(
      succeeded({ files: [{ path: 'a/b.md', bytes: 16 }], is_cut: false }),
    );
    expect(await call('read_file', { path: 'a/b.md', offset: null })).toEqual(
      succeeded({ path: 'a/b.md', characters: 10, text: content, next_offset: null }),
    );
    for (const other of [{ tenantId: 'u' }, { sessionId: 'r' }]) {
      expect(await call('read_file', { path: 'a/b.md', offset: null }, other)).toEqual(
        failed('there is no file of this path'),
      );
      expect(await call('list_files', {}, other)).toEqual(succeeded({ files: [], is_cut: false }));
    }
  });

  it('changes nothing when the same call comes again', async () => {
    await call('write_file', { path: 'a.md', content: 'one' });
    await call('write_file', { path: 'a.md', content: 'two' }, { idempotencyKey: 'e.2.0' });
    expect(await call('write_file', { path: 'a.md', content: 'one' })).toMatchObject({ status: 'success' });
    expect(await call('read_file', { path: 'a.md', offset: null })).toMatchObject({
      result: { text: 'two' },
    });
  });

  it.each([
    ['../a.md', '', 'the path must be a relative path'],
    ['/files/a.md', '', 'the path must be a relative path'],
    ['a\0.md', '', 'the path must not have a backslash'],
    ['folder', 'x', 'is a folder of other files'],
    ['folder/a.md/b.md', 'x', 'lies under a file'],
    ['long.md', 'x'.repeat(1_048_577), 'a file has at most 1048576 bytes'],
  ])('refuses %j, and says why', async (path, content, words) => {
    await put('folder/a.md', 'x');
    expect(await call('write_file', { path, content })).toEqual(failed(words));
    expect((await shelf.list(CONTEXT)).files).toHaveLength(1);
  });

  it('refuses the 201st file', async () => {
    for (let count = 0; count < 200; count++) await put(`${count}.md`, 'x');
    expect(await call('write_file', { path: 'one-more.md', content: 'x' })).toEqual(
      failed('the conversation has 200 files, the maximum'),
    );
  });
});

describe('read_file', () => {
  it('reads a long file part by part, to its end', async () => {
    const content = '注\n'.repeat(25_000);
    await put('long.txt', content);
    const parts: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const answer = await call('read_file', { path: 'long.txt', offset });
      const { result } = answer as { result: { text: string; next_offset: number | null } };
      parts.push(result.text);
      offset = result.next_offset;
    }
    expect(parts).toHaveLength(3);
    expect(parts.join('')).toBe(content);
  });

  it('reads the most dearly escaped part whole', async () => {
    await put('odd.txt', '\u0001'.repeat(20_000));
    expect(await call('read_file', { path: 'odd.txt', offset: 0 })).toMatchObject({
      result: { text: '\u0001'.repeat(20_000), next_offset: null },
    });
  });

  it('says where a file is missing, is no text, or has no such path', async () => {
    await put('image.png', Buffer.from([0x89, 0x50, 0xff]));
    const read = (path: string): Promise<unknown> => call('read_file', { path, offset: null });
    expect(await read('image.png')).toEqual(failed('the file is no text; it has 3 bytes'));
    expect(await read('none.txt')).toEqual(failed('there is no file of this path'));
    expect(await read('../image.png')).toEqual(failed('the path must be a relative path'));
  });
});

describe('search_files', () => {
  it('finds lines in all text files, and says where to read on', async () => {
    await put('a.md', 'one\nOrder 7');
    await put('b/c.md', 'no ORDER here');
    await put('z.bin', Buffer.from([0xff]));
    expect(await call('search_files', { text: 'order' })).toEqual(
      succeeded({
        matches: [
          { path: 'a.md', line: 2, offset: 4, text: 'Order 7' },
          { path: 'b/c.md', line: 1, offset: 0, text: 'no ORDER here' },
        ],
        is_cut: false,
      }),
    );
  });

  it('answers a hundred matches at most, and says that there are more', async () => {
    await put('a.md', 'x\n'.repeat(100));
    const most = await call('search_files', { text: 'x' });
    expect(most).toMatchObject({ result: { is_cut: false } });
    await put('b.md', 'x');
    const { result } = most as { result: object };
    expect(await call('search_files', { text: 'x' })).toEqual(succeeded({ ...result, is_cut: true }));
  });

  it('ends when its call is to end', async () => {
    await put('a.md', 'x');
    const ended = call('search_files', { text: 'x' }, { signal: AbortSignal.abort(new Error('late')) });
    await expect(ended).rejects.toThrow('late');
  });
});
