import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { Client } from 'pg';
import { scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';

const FIXTURE = 'test/fixtures/generated-clients';
const PROGRAMS = ['use-hey-api', 'use-openapi-fetch'] as const;
/** Compiler options of a client's project. */
const STRICT = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noUnusedLocals: true, skipLibCheck: true },
    ...{ target: 'ES2024', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] },
    ...{ lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], outDir: 'compiled', rootDir: '.' },
  },
  include: ['*.ts', 'hey-api'],
};

let folder: string;

/** Compiles the files in the folder; returns the compiler's messages, empty on success. */
async function compile(): Promise<string> {
  const { stdout } = await execa('tsc', ['-p', folder], { preferLocal: true, reject: false });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-clients-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  await execa('node', [join(FIXTURE, 'generate.mjs'), resolve('openapi.json'), folder]);
  for (const name of PROGRAMS) await copyFile(join(FIXTURE, `${name}.ts`), join(folder, `${name}.ts`));
});
afterAll(() => rm(folder, { recursive: true }));

describe('clients that are generated of the document', () => {
  let deployment: Deployment;
  let url: string;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    const database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.end();
    const [api] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    url = api.url;
    expect(await compile()).toBe('');
  });
  afterAll(() => deployment.close());

  it.each(PROGRAMS)('submit, page and follow in %s, as their types say', async (program) => {
    const inputs = ['one', 'two', 'three'].map((text) => scripted({ text }));
    const file = join(folder, 'compiled', `${program}.js`);

    const { stdout } = await execa('node', [file, url, ...inputs]);

    const { submitted, listed, followed, code } = JSON.parse(stdout) as {
      submitted: { id: string; result: { message: { content: string } } }[];
      listed: { ids: string[]; pages: number };
      followed: { text: string; names: string[]; status: string };
      code: string;
    };
    expect(submitted.map(({ result }) => result.message.content)).toEqual(['one', 'two', 'three']);
    const ids = submitted.map(({ id }) => id).toReversed();
    expect(listed.ids.slice(0, 3)).toEqual(ids);
    expect(listed.pages).toBe(Math.ceil(listed.ids.length / 2));
    expect(followed).toMatchObject({ text: 'three', status: 'completed' });
    expect(followed.names.filter((name) => name === 'result')).toHaveLength(1);
    expect(code).toBe('NOT_FOUND');
  });

  it('do not compile against another document', async () => {
    const types = join(folder, 'openapi-types.ts');
    const generated = await readFile(types, 'utf8');
    await writeFile(types, generated.replaceAll('next_cursor: string | null', 'next_cursor: unknown[]'));

    const said = await compile();

    await writeFile(types, generated);
    expect(said).toContain('use-openapi-fetch.ts');
  });
});
