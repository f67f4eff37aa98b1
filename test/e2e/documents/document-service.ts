import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, SCOPES } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { seed } from '../../../apps/migrate/src/seed.js';
import { createKey } from '../../integration/api/api-keys.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { readersOf } from '../../support/services/readers-of.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';

/** The fields of a document in the API that tests read. */
export interface DocumentAnswer {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly error_code: string | null;
  readonly error_text: string | null;
  readonly last_error: { readonly next_try_at: string } | null;
  readonly live_generation: number | null;
  readonly generation: number;
  readonly progress: { readonly done: number; readonly total: number | null };
}

/** An answer of the API; the body is empty if it has none. */
export interface Answered {
  readonly status: number;
  readonly body: { readonly id: string; readonly code: string; readonly detail: string } & DocumentAnswer;
}

/** A tenant that uploads documents to a datasource of its own. */
export interface Giver {
  readonly tenantId: string;
  readonly key: string;
  readonly datasource: number;
}

const ENDED: ReadonlySet<string> = new Set(['ready', 'failed']);
/** The dimensions of the simulator's vectors. */
const DIMENSIONS = 8;

/** An API, ingesting workers, and the simulator as their model, as processes of their own. */
export class DocumentService {
  readonly workers: ServiceProcess[] = [];

  private constructor(
    readonly folder: string,
    readonly deployment: Deployment,
    readonly dataSource: DataSource,
    private readonly url: string,
  ) {}

  /** Opens the service without a worker. */
  static async open(backend: QueueBackend, settings: Record<string, string> = {}): Promise<DocumentService> {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const deployment = await Deployment.open(backend, {
      ...{ DOCUMENTS_ROOT: folder, WORKER_ROLES: 'housekeeping,ingest', AUTH: 'api-key', LOG_LEVEL: 'error' },
      ...{ DISPATCH_INTERVAL_MS: '100', LEASE_SECONDS: '5' },
      ...settings,
    });
    const dataSource = await createDataSource({ url: deployment.databaseUrl }).initialize();
    return new DocumentService(folder, deployment, dataSource, (await deployment.startApi()).url);
  }

  async startWorker(settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const worker = await this.deployment.startWorker(settings);
    this.workers.push(worker);
    return worker;
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.deployment.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @param dimensions of the vectors that its datasource requests */
  async addGiver(tenantId: string, { dimensions = DIMENSIONS, chunkTokens = 400 } = {}): Promise<Giver> {
    const key = await createKey(this.dataSource, SCOPES, tenantId);
    await seed(this.deployment.databaseUrl, tenantId, { provider: 'openai', model: 'sim-echo' });
    const [llm] = await this.dataSource.query<[{ id: number }]>(
      `SELECT min(id) AS id FROM llm WHERE tenant_id = $1`,
      [tenantId],
    );
    const fields = {
      ...{ name: `of ${tenantId}`, llm_id: llm.id, embed_model: 'sim-words', dimensions },
      ...{ chunk_tokens: chunkTokens, overlap_tokens: 0 },
    };
    const { body } = await this.ask(key, 'POST', '/api/datasources/', fields);
    return { tenantId, key, datasource: Number(body.id) };
  }

  give({ key, datasource }: Giver, name: string, bytes: Buffer | string): Promise<Answered> {
    const form = new FormData();
    form.append('datasource_id', String(datasource));
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
    return this.ask(key, 'POST', '/api/documents/', form);
  }

  /** Answers the best hit. */
  async search({ key, datasource }: Giver, question: string): Promise<unknown> {
    const fields = { question, top_k: 1 };
    return (await this.ask(key, 'POST', `/api/datasources/${datasource}/search/`, fields)).body;
  }

  /** Uploads a text; returns the id of its document. */
  async giveText(giver: Giver, text: string, title = 'A'): Promise<string> {
    const fields = { datasource_id: giver.datasource, title, text, media_type: 'text/markdown' };
    const { status, body } = await this.ask(giver.key, 'POST', '/api/documents/', fields);
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body.id;
  }

  async read({ key }: Giver, id: string): Promise<Answered> {
    return this.ask(key, 'GET', `/api/documents/${id}/`);
  }

  async remove({ key }: Giver, id: string): Promise<number> {
    return (await this.ask(key, 'DELETE', `/api/documents/${id}/`)).status;
  }

  /** Resolves with the document once it is ready or has failed. */
  ended(giver: Giver, id: string, timeoutMs = 60_000): Promise<DocumentAnswer> {
    return this.until(giver, id, ({ state }) => ENDED.has(state), timeoutMs);
  }

  until(
    giver: Giver,
    id: string,
    is: (document: DocumentAnswer) => boolean,
    timeoutMs = 60_000,
  ): Promise<DocumentAnswer> {
    return waitFor(
      async () => {
        const { body } = await this.read(giver, id);
        return is(body) ? body : null;
      },
      { description: `the document ${id}`, timeoutMs, intervalMs: 5 },
    );
  }

  /** Makes embedding calls with texts that contain this fail, until {@link heal}. */
  async breakVectors(contains: string, fault: object, on: object = {}): Promise<void> {
    const rule = { on: { endpoint: 'embeddings', contains, ...on }, fault };
    await this.control('POST', '/faults', { faults: [rule] });
  }

  async heal(): Promise<void> {
    await this.control('DELETE', '/faults');
  }

  /** The embedding calls that the model server has received. */
  async vectorCalls(): Promise<readonly VectorCall[]> {
    const { requests } = (await (await this.control('GET', '/requests')).json()) as {
      readonly requests: readonly VectorCall[];
    };
    return requests.filter(({ endpoint }) => endpoint === 'embeddings');
  }

  /** Counts of the rows, files and processes that a tenant's documents have left, by kind. */
  async leftBehind({ tenantId }: Giver): Promise<Record<string, number>> {
    const [rows] = await this.dataSource.query<[Record<string, number>]>(
      `SELECT ${['document', 'document_ingestion', 'chunk', 'embedding', 'blob_disposal']
        .map((table) => `(SELECT count(*)::int FROM ${table} WHERE tenant_id = $1) AS ${table}`)
        .join(', ')}`,
      [tenantId],
    );
    const files = await readdir(join(this.folder, tenantId)).catch(() => []);
    const readers = this.workers.flatMap(({ pid }) => readersOf(pid));
    return { ...rows, files: files.length, readers: readers.length };
  }

  /** Expects that nothing is left; files are removed within seconds after the rows. */
  async expectNothingLeft(giver: Giver): Promise<void> {
    let left: Record<string, number> = {};
    const isClean = async (): Promise<boolean> => {
      left = await this.leftBehind(giver);
      return Object.values(left).every((count) => count === 0);
    };
    await waitFor(isClean, { description: 'nothing to be left' }).catch(() => {
      throw new Error(`left behind: ${JSON.stringify(left)}`);
    });
  }

  private async ask(key: string, method: string, path: string, body?: object): Promise<Answered> {
    const isForm = body instanceof FormData;
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const answer = await fetch(`${this.url}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answered['body'] };
  }

  private control(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.deployment.simulatorUrl}/__control${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }
}

export interface VectorCall {
  readonly endpoint: string;
  readonly at: string;
  readonly body: { readonly input: readonly string[] };
  /** The faults that hit the request. */
  readonly faults: readonly string[];
  readonly status: number | null;
  readonly usage: { readonly total_tokens: number } | null;
}
