import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyS3 } from '../../../support/services/faulty-s3.js';
import { S3Server, S3_TEST_CONFIG } from '../../../support/services/s3-server.js';
import { Metrics } from '#libs/observability';
import { at, DOCUMENTS, DocumentsApi } from '../documents-api.js';
import { expectProblem } from '../expect-problem.js';
import type { Answer } from '../http-client.js';

let documents: DocumentsApi;

const giveFile = () =>
  documents.giveForm(['datasource_id', String(documents.datasource)], ['file', 'x'.repeat(1_000), 'a.txt']);

/** Expects 503 with the service's own error text and a `Retry-After`. */
function expectUnavailable(answer: Answer): void {
  const detail = 'the store of files cannot be reached; try again later';
  expectProblem(answer, { status: 503, code: 'FILE_STORE_UNAVAILABLE', detail });
  expect(answer.headers.get('retry-after')).toBe('2');
}

async function expectOthersServed(made: Answer): Promise<void> {
  expect(await documents.send(at(made))).toMatchObject({ status: 200, body: { state: 'waiting' } });
  expect((await documents.send('/readyz')).status).toBe(200);
  expect((await documents.send('/api/agents/')).status).toBe(200);
}

async function failures(operation: string): Promise<number> {
  const text = await documents.api.app.get(Metrics, { strict: false }).read();
  const line = new RegExp(`^capstan_blob_failures_total\\{operation="${operation}"\\} (\\d+)$`, 'm').exec(
    text,
  );
  return Number(line?.[1]);
}

describe('a folder of files', () => {
  beforeAll(async () => {
    documents = await DocumentsApi.open();
  });
  beforeEach(() => documents.reset());
  afterAll(async () => {
    await mkdir(documents.folder, { recursive: true });
    await documents.close();
  });

  it('without read or write access blocks uploads and downloads, and no other requests', async () => {
    const made = await documents.giveText();
    await documents.loseFiles();
    await writeFile(join(documents.folder, 'default'), 'in the way of everything');
    const before = [await failures('write'), await failures('read')];
    expectUnavailable(await giveFile());
    expectUnavailable(await documents.giveText());
    expectUnavailable(await documents.send(`${at(made)}content/`));
    await expectOthersServed(made);
    expect([await failures('write'), await failures('read')]).toEqual(
      before.map((count, index) => count + (index === 0 ? 2 : 1)),
    );
    expect((await documents.send(DOCUMENTS)).body.data).toMatchObject([{ id: made.body.id }]);
    await rm(join(documents.folder, 'default'));
    expect((await giveFile()).status).toBe(201);
  });

  it('is no reason to call a document lost when it was removed', async () => {
    const made = await documents.giveText();
    await rm(documents.folder, { recursive: true });
    expectUnavailable(await documents.send(`${at(made)}content/`));
    await expectOthersServed(made);
  });

  it('on an unmounted disk stores nothing and calls nothing lost', async () => {
    const made = await documents.giveText();
    await rm(documents.folder, { recursive: true });
    await mkdir(documents.folder);
    expectUnavailable(await documents.send(`${at(made)}content/`));
    expectUnavailable(await documents.giveText());
    expectUnavailable(await giveFile());
    expect(await readdir(documents.folder)).toEqual([]);
  });
});

describe('a bucket', () => {
  let server: S3Server;
  let faulty: FaultyS3;
  beforeAll(async () => {
    server = await S3Server.start();
    faulty = await FaultyS3.before(server.url);
    documents = await DocumentsApi.open({
      S3_ENDPOINT: faulty.url,
      S3_BUCKET: S3_TEST_CONFIG.bucket,
      S3_REGION: S3_TEST_CONFIG.region,
      S3_ACCESS_KEY_ID: S3_TEST_CONFIG.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_TEST_CONFIG.secretAccessKey,
      S3_PATH_STYLE: 'true',
    });
  });
  afterAll(async () => {
    await documents.close();
    await server.stop();
  });

  it('on a server that refuses, or is down, blocks uploads and downloads, and no other requests', async () => {
    const made = await giveFile();
    expect(made.status).toBe(201);
    const refusal = { kind: 'status', status: 403, code: 'AccessDenied' } as const;
    faulty.faults.push(refusal, refusal);
    expectUnavailable(await giveFile());
    expectUnavailable(await documents.send(`${at(made)}content/`));
    expect((await documents.send(`${at(made)}content/`)).text).toHaveLength(1_000);

    await faulty.stop();
    expectUnavailable(await documents.giveText());
    await expectOthersServed(made);
  });
});
