import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelCallError } from '#libs/agent-core';
import { parseApiKey, SCOPES, WorkspaceFileStore } from '#libs/persistence';
import { encodeCursor } from '../../../apps/api/src/http/page.js';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { SequenceModel } from '../../support/fakes/scripted-model.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { createKey } from '../api/api-keys.js';
import { ask } from '../api/http-client.js';
import { sentForm } from '../api/sent-form.js';
import { WorkerWorld } from '../worker/worker-world.js';
import { insertOrders } from './insert-orders.js';
import { insertSupport } from './insert-support.js';
import { CONNECTABLE, SERVER_CONFIGS } from './server-configs.js';
import { SERVER_TOOLS, startTryingWorker } from './trying-worker.js';
import type { Operation } from '../../support/openapi/openapi-document.js';
import type { FuzzState } from './request-arbitrary.js';
import type { KnownValues } from './schema-arbitrary.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
/** An address without a listener, so that calls to it fail at once. */
const NOWHERE = 'http://127.0.0.1:1/v1';
const HOOK = 'https://example.com/hook';
const NOTE = { path: 'notes/a.txt', bytes: Buffer.from('Noon.') };
const PROTOTYPE_KEYS = { constructor: 1, toString: 'x', hasOwnProperty: {}, valueOf: null };
/** Names that resources are applied by. */
const NAMES = ['applied', 'applied_too'];

/** Known values of fields that apply in one collection only, by the collection's path segment. */
const OF_COLLECTION: Readonly<Record<string, KnownValues>> = {
  'mcp-servers': { config: SERVER_CONFIGS },
  'order-requests': { outcome: ['sent', 'not_sent'] },
};
const TOOLS = [aTool('look'), aTool('charge')];

/** An API with keys on a real database that holds at least one resource of every kind. */
export class FuzzWorld {
  private paths: Readonly<Record<string, KnownValues>> = {};
  private values: KnownValues = {};

  private constructor(
    private readonly worker: WorkerWorld,
    private readonly trying: { close: () => Promise<void> },
    readonly api: RunningApi,
    private readonly apiKey: string,
    private readonly otherKeys: readonly string[],
    private readonly folder: string,
  ) {}

  static async open(): Promise<FuzzWorld> {
    const worker = await WorkerWorld.open();
    await worker.offer(TOOLS, { require_approval: ['charge'] });
    const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
    const api = await startApi({
      DATABASE_URL: worker.databaseUrl,
      AUTH: 'api-key',
      ENCRYPTION_KEY,
      OPENAI_API_KEY: 'sk-nobody',
      OPENAI_BASE_URL: NOWHERE,
      STDIO_SERVERS: '*: node crm.js',
      DOCUMENTS_ROOT: folder,
      PRIVATE_TOOL_HOSTS: '*:127.0.0.1:8443',
    });
    const { databaseUrl, dataSource } = worker;
    const trying = await startTryingWorker(databaseUrl, dataSource, ENCRYPTION_KEY);
    const createFor = (tenantId: string, scopes: readonly string[]): Promise<string> =>
      createKey(dataSource, scopes, tenantId);
    const others = [createFor('default', []), createFor('stranger', SCOPES)];
    const own = await createFor('default', SCOPES);
    return new FuzzWorld(worker, trying, api, own, await Promise.all(others), folder);
  }

  /** Creates new resources of every kind, since earlier requests may have removed or ended the old ones. */
  async refresh(): Promise<void> {
    // Every operation draws the same idempotency keys from one seed, so kept answers would be replayed.
    await this.worker.dataSource.query(`DELETE FROM kept_answer`);
    await this.worker.dataSource.query(`DELETE FROM webhook_endpoint`);
    await this.worker.dataSource.query(`DELETE FROM skill`);
    await this.worker.dataSource.query(`DELETE FROM memory`);
    await this.worker.dataSource.query(`DELETE FROM tool_server`);
    await this.worker.dataSource.query(`DELETE FROM document`);
    await this.worker.dataSource.query(`DELETE FROM datasource`);
    await this.worker.dataSource.query(`DELETE FROM file`);
    const spareKey = parseApiKey(await createKey(this.worker.dataSource, ['executions:read']))?.id ?? '';
    const [llm, agents, endpoint, skill, server, memory] = await Promise.all([
      this.create('/api/llms/', {
        name: 'Spare',
        model: 'a-model',
        credentials: { auth: 'none', openai_api_base: NOWHERE },
      }),
      Promise.all([this.createAgent(), this.createAgent()]),
      this.create('/api/webhook-endpoints/', { url: HOOK, name: NAMES[0] }),
      this.create('/api/skills/', { name: 'spare', description: 'Fuzzed.', content: 'Do nothing.' }),
      this.make('/api/mcp-servers/', { name: 'crm', type: 'http', config: SERVER_CONFIGS[1] }),
      this.create('/api/memories/', { executor_id: 'mara', text: 'Likes tea.' }),
    ]);
    const connectable = await this.make('/api/mcp-servers/', {
      ...{ name: 'mail', type: 'http', config: CONNECTABLE },
    });
    const connection = await this.insertConnection(connectable);
    const session = await this.make('/api/console-sessions/', { api_key: this.apiKey });
    const datasources = [await this.createDatasource('spare'), await this.createDatasource('handbook')];
    const [, datasource = 0] = datasources;
    const document = await this.make('/api/documents/', { datasource_id: datasource, text: 'Noon.' });
    await this.makeReady(document);
    const files = [await this.uploadFile('a.txt'), await this.uploadFile('b.md')];
    const executions = [await this.settled(), await this.failed(), await this.waiting(), await this.queued()];
    const sessions = executions.map(({ sessionId }) => sessionId);
    const ids = executions.map(({ id }) => id);
    const workspace = new WorkspaceFileStore(this.worker.dataSource);
    for (const sessionId of sessions)
      await workspace.write({ tenantId: 'default', sessionId }, { ...NOTE, callKey: null });
    const deliveries = await this.idsOf<string>('webhook_delivery');
    const orders = await insertOrders(this.worker.dataSource, ids[0] ?? '', HOOK);
    const tickets = await insertSupport(this.worker.dataSource, ids[0] ?? '', HOOK);
    this.paths = {
      'agents sessions': { id: [1], uuid: sessions },
      agents: { id: agents, name: NAMES },
      'agents versions': { id: agents, version: [1, 1, 2] },
      llms: { id: [llm], name: NAMES },
      skills: { id: [skill], name: NAMES },
      memories: { id: [memory] },
      'mcp-servers': { id: [server], name: NAMES },
      connections: { id: [connection] },
      'console-sessions': { id: [session] },
      datasources: { id: datasources, name: NAMES },
      documents: { id: [document] },
      files: { id: files },
      tools: { name: SERVER_TOOLS.map((name) => `mcp__crm__${name}`) },
      tenants: { id: ['stranger'] },
      'api-keys': { id: [spareKey] },
      executions: { id: ids },
      'executions approvals': { id: executions.slice(2, 3).map(({ id }) => id) },
      sessions: { uuid: sessions },
      'sessions files': { uuid: sessions, path: [encodeURIComponent(NOTE.path)] },
      'webhook-endpoints': { id: [endpoint], name: NAMES },
      'webhook-deliveries': { id: deliveries },
      'order-requests': { id: orders },
      'order-requests outcome': { id: orders.slice(2) },
      'support-tickets': { id: tickets },
    };
    this.values = {
      ...{ server_id: [connectable, server], user_id: ['mara'], executor_id: ['mara', 'otto'] },
      ...{ agent_id: [1, ...agents], session_uuid: sessions, endpoint_id: [endpoint], execution_id: ids },
      ...{
        llm: [1],
        usecase_type: ['BASIC_CHAT'],
        provider: ['openai'],
        openai_api_base: [NOWHERE],
        auth: ['none'],
        openai_api_key: [undefined],
        // Fields of other providers are left out.
        ...{ api_key: [undefined], api_base: [undefined], api_version: [undefined] },
        ...{ limit_field: [undefined], stream_usage: [undefined] },
        url: [HOOK],
        ...{ datasource_id: [datasource], llm_id: [1], embed_model: ['an-embedder'] },
        ...{ chunk_tokens: [undefined], overlap_tokens: [undefined], media_type: [undefined] },
      },
      ...{
        call: ['1.0'],
        approved: [true, false],
        outcome: [undefined],
        output: [undefined],
        include_inactive: ['true', 'false'],
        ...{ metadata: [{ a: 'b' }], from: ['2026-01-01'], to: ['2026-11-22T00:00:00Z'] },
        ...{ tenant_id: ['stranger'], expires_at: [null, '2999-01-01T00:00:00Z'] },
        after: [0, 1, 2],
        attachments: [[{ id: files[0] }]],
      },
      ...{ request_timeout_seconds: [30, '60'], max_retries: [0, '5'], strategy: ['gpt5_react', null] },
      cursor: [1, 5, ...agents, server, ...ids, ...deliveries, spareKey, document, ...files].map(
        encodeCursor,
      ),
      'If-Match': ['*', '"1"', '"1", "2", "3"', 'W/"1"'],
      Prefer: ['wait=1', 'respond-async'],
      'Last-Event-ID': [0, 1, 2],
    };
  }

  stateFor({ path }: Operation): FuzzState {
    const { apiKey, otherKeys } = this;
    const [, , collection = '', , part = ''] = path.split('/');
    const pathValues = this.paths[`${collection} ${part}`] ?? this.paths[collection] ?? {};
    const signIn = collection === 'console-sessions' ? { api_key: [apiKey] } : {};
    const values = { ...this.values, ...OF_COLLECTION[collection], ...signIn };
    return { values, pathValues, apiKey, otherKeys };
  }

  async close(): Promise<void> {
    await this.trying.close();
    await this.api.app.close();
    await this.worker.close();
    await rm(this.folder, { recursive: true });
  }

  private async settled(): Promise<{ id: string; sessionId: string }> {
    const answers = [aModelAnswer({ toolCalls: [aCall('look', 'c1')] }), aModelAnswer({ text: 'done' })];
    return this.run(answers);
  }

  private failed(): Promise<{ id: string; sessionId: string }> {
    return this.run([new ModelCallError({ reason: 'refused', message: 'no', retryable: false })]);
  }

  /** An execution that waits for a person's decision over the call 1.0. */
  private waiting(): Promise<{ id: string; sessionId: string }> {
    return this.run([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] })]);
  }

  private queued(): Promise<{ id: string; sessionId: string }> {
    return this.worker.submit();
  }

  private async run(
    answers: ConstructorParameters<typeof SequenceModel>[0],
  ): Promise<{ id: string; sessionId: string }> {
    const execution = await this.worker.submit();
    await this.worker.run(execution.id, new SequenceModel(answers), TOOLS);
    return execution;
  }

  private createAgent(): Promise<number> {
    const fields = { name: 'Fuzzed', usecase_type: 'BASIC_CHAT', llm: 1 };
    return this.create('/api/agents/', { ...fields, config: PROTOTYPE_KEYS });
  }

  private createDatasource(name: string): Promise<number> {
    const fields = { name, llm_id: 1, embed_model: 'an-embedder', dimensions: 8 };
    return this.create('/api/datasources/', fields);
  }

  /** Publishes the document with one chunk and a vector along the first axis, in place of a worker's ingestion. */
  private async makeReady(document: unknown): Promise<void> {
    const { dataSource } = this.worker;
    await dataSource.query(`UPDATE document SET live_generation = generation WHERE id = $1`, [document]);
    await dataSource.query(`UPDATE document_ingestion SET chunk_count = 1 WHERE document_id = $1`, [
      document,
    ]);
    await dataSource.query(
      `INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count,
                          content_hash, search)
       SELECT tenant_id, datasource_id, id, generation, 0, 'Noon.', '{Parcels}', 3, '\x01', to_tsvector('simple', 'Noon.')
         FROM document WHERE id = $1`,
      [document],
    );
    await dataSource.query(
      `INSERT INTO embedding (tenant_id, llm_id, model, dimensions, content_hash, vector)
       VALUES ('default', 1, 'an-embedder', 8, '\x01', decode('003c' || repeat('00', 14), 'hex')) ON CONFLICT DO NOTHING`,
    );
  }

  private async create(path: string, json: object): Promise<number> {
    return Number(await this.make(path, json));
  }

  /** Creates a resource; returns its id. */
  private async make(path: string, json: object): Promise<string | number> {
    const headers = { authorization: `Bearer ${this.apiKey}` };
    const { status, text, body } = await ask(this.api.url, path, { json, headers });
    if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
    return body.id as string | number;
  }

  private async uploadFile(name: string): Promise<string> {
    const { headers, ...form } = await sentForm('POST', [['file', 'Noon.', name]]);
    const authorization = `Bearer ${this.apiKey}`;
    const { body } = await ask(this.api.url, '/api/files/', {
      ...form,
      headers: { ...headers, authorization },
    });
    return String(body.id);
  }

  private async insertConnection(server: unknown): Promise<string> {
    const id = randomUUID();
    await this.worker.dataSource.query(
      `INSERT INTO connection (id, tenant_id, server_id, user_id) VALUES ($1, 'default', $2, 'mara')`,
      [id, server],
    );
    return id;
  }

  private async idsOf<Id>(table: string): Promise<Id[]> {
    const rows = await this.worker.dataSource.query<{ id: Id }[]>(
      `SELECT id FROM ${table} ORDER BY id DESC LIMIT 10`,
    );
    return rows.map(({ id }) => id);
  }
}
