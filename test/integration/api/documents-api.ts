import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '#libs/persistence';
import { insertDatasource } from '../../support/services/insert-datasource.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { createKey } from './api-keys.js';
import { ask, type Answer, type RequestOptions } from './http-client.js';
import { sentForm, type Part } from './sent-form.js';

export const DOCUMENTS = '/api/documents/';
const BOUNDS = {
  DOCUMENT_MAX_BYTES: '2000',
  DOCUMENT_BYTES_PER_TENANT: '2500',
  DOCUMENTS_PER_TENANT: '3',
};

/** An API without a worker, with a document store (a folder by default) and API keys of two tenants. */
export class DocumentsApi {
  private constructor(
    readonly database: TestDatabase,
    readonly folder: string,
    readonly api: RunningApi,
    readonly own: string,
    readonly stranger: string,
    /** Id of a datasource of the tenant `default`. */
    readonly datasource: number,
  ) {}

  /** @param more further settings, for example those of an S3 store */
  static async open(more: Readonly<Record<string, string>> = {}): Promise<DocumentsApi> {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const database = await createSeededDatabase();
    const settings = { DATABASE_URL: database.url, AUTH: 'api-key', ...BOUNDS };
    const api = await startApi({
      ...settings,
      ...(more['S3_BUCKET'] === undefined && { DOCUMENTS_ROOT: folder }),
      ...more,
    });
    const own = await createKey(api.dataSource, SCOPES);
    const stranger = await createKey(api.dataSource, SCOPES, 'stranger');
    return new DocumentsApi(database, folder, api, own, stranger, await insertDatasource(api.dataSource));
  }

  async reset(): Promise<void> {
    await this.api.dataSource.query('DELETE FROM document');
    await this.api.dataSource.query('DELETE FROM file');
    await this.api.dataSource.query('DELETE FROM blob_disposal');
    await this.loseFiles();
  }

  async close(): Promise<void> {
    await this.api.app.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  send(path: string, options: RequestOptions = {}, key = this.own, url = this.api.url): Promise<Answer> {
    return ask(url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
  }

  giveText(more: object = {}, key = this.own): Promise<Answer> {
    const json = { datasource_id: this.datasource, title: 'Hours', text: 'From nine.', ...more };
    return this.send(DOCUMENTS, { json }, key);
  }

  giveUrl(url: string): Promise<Answer> {
    return this.send(DOCUMENTS, { json: { datasource_id: this.datasource, url } });
  }

  /** Uploads a document as a form with the parts in this order. */
  giveForm(...parts: readonly Part[]): Promise<Answer> {
    return this.sendForm(DOCUMENTS, 'POST', parts);
  }

  async sendForm(path: string, method: string, parts: readonly Part[], key = this.own): Promise<Answer> {
    return this.send(path, await sentForm(method, parts), key);
  }

  /** Number of files stored for the tenant `default`, and number of files that await removal. */
  async kept(): Promise<readonly [files: number, disposable: number]> {
    const [row] = await this.api.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM blob_disposal',
    );
    return [(await this.filesOf('default')).length, row.count];
  }

  filesOf(tenantId: string): Promise<readonly string[]> {
    return readdir(join(this.folder, tenantId)).catch(() => []);
  }

  async loseFiles(): Promise<void> {
    await rm(join(this.folder, 'default'), { recursive: true, force: true });
  }

  /** Publishes the newest generation with these texts as chunks, in place of a worker's ingestion. */
  async makeReady({ body }: Answer, ...texts: readonly string[]): Promise<void> {
    await this.api.dataSource.query(
      `WITH live AS (UPDATE document SET live_generation = generation WHERE id = $1 RETURNING *)
       INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count,
                          content_hash, search)
       SELECT tenant_id, datasource_id, id, generation, place - 1, text, '{Rules}', 3, '', ''
         FROM live, unnest($2::text[]) WITH ORDINALITY AS given (text, place)`,
      [body.id, texts],
    );
  }
}

/** Path of the document that an answer has created. */
export const at = ({ body }: Answer): string => `${DOCUMENTS}${String(body.id)}/`;
