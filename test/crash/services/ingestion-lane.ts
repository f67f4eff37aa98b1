import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { Pool } from 'pg';
import { createDataSource, DocumentChangesStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import { giveDocument, type GivenDocument } from './give-document.js';

const QUICK = {
  LOG_LEVEL: 'error',
  WORKER_ROLES: 'housekeeping,ingest',
  LEASE_SECONDS: '3',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '1',
};

export interface IngestionRow {
  readonly state: string;
  readonly calls: number;
  readonly is_call_open: boolean;
  readonly chunk_count: number;
  readonly error_text: string | null;
}

/** Workers that take documents in, as real processes, and the simulator as their model. */
export class IngestionLane {
  private constructor(
    private readonly deployment: Deployment,
    private readonly folder: string,
    private readonly dataSource: DataSource,
    readonly database: Pool,
    private readonly datasourceId: number,
  ) {}

  static async open(backend: QueueBackend): Promise<IngestionLane> {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const deployment = await Deployment.open(backend, { ...QUICK, DOCUMENTS_ROOT: folder });
    const dataSource = await createDataSource({ url: deployment.databaseUrl }).initialize();
    const database = new Pool({ connectionString: deployment.databaseUrl, max: 3 });
    const { rows } = await database.query<{ id: number }>(
      `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
       SELECT 'default', 'docs', min(id), 'sim-embedding', 8, 64, 0 FROM llm RETURNING id`,
    );
    return new IngestionLane(deployment, folder, dataSource, database, rows[0]?.id ?? 0);
  }

  startWorker(): Promise<ServiceProcess> {
    return this.deployment.startWorker();
  }

  give(text: string): Promise<GivenDocument> {
    const { dataSource, folder, datasourceId } = this;
    return giveDocument(dataSource, { folder, datasourceId, title: 'A', text });
  }

  remove(documentId: string): Promise<string> {
    return new DocumentChangesStore(this.dataSource).remove('default', documentId, null);
  }

  /** Whatever needs the lock of the tenant waits from now on: begin and end of chunks, and the end of all. */
  async holdTenant(): Promise<() => Promise<void>> {
    const client: PoolClient = await this.database.connect();
    await client.query(`SELECT pg_advisory_lock(hashtext('knowledge'), hashtext('default'))`);
    return async () => {
      await client.query(`SELECT pg_advisory_unlock_all()`);
      client.release();
    };
  }

  /** The n-th call for vectors is never answered. */
  async hangCall(call: number): Promise<void> {
    const fault = { on: { endpoint: 'embeddings', call }, fault: { kind: 'hang_before_headers' } };
    await fetch(`${this.deployment.simulatorUrl}/__control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ faults: [fault] }),
    });
  }

  /** What the simulator was asked for vectors, call by call. */
  async embeddedTexts(): Promise<readonly (readonly string[])[]> {
    const answer = await fetch(`${this.deployment.simulatorUrl}/__control/requests`);
    const { requests } = (await answer.json()) as {
      requests: { endpoint: string; body: { input: string[] } }[];
    };
    return requests.filter(({ endpoint }) => endpoint === 'embeddings').map(({ body }) => body.input);
  }

  async forget(): Promise<void> {
    await fetch(`${this.deployment.simulatorUrl}/__control`, { method: 'DELETE' });
  }

  async row(ingestionId: string): Promise<IngestionRow | null> {
    const { rows } = await this.database.query<IngestionRow>(
      `SELECT state, calls, is_call_open, chunk_count, error_text FROM document_ingestion WHERE id = $1`,
      [ingestionId],
    );
    return rows[0] ?? null;
  }

  waitUntil(
    ingestionId: string,
    description: string,
    is: (row: IngestionRow) => boolean,
  ): Promise<IngestionRow> {
    return waitFor(
      async () => {
        const row = await this.row(ingestionId);
        if (row?.state === 'failed') throw new Error(`it failed: ${row.error_text ?? ''}`);
        return row !== null && is(row) ? row : null;
      },
      { description, timeoutMs: 90_000, intervalMs: 5 },
    );
  }

  async usageStates(ingestionId: string): Promise<readonly string[]> {
    const { rows } = await this.database.query<{ state: string }>(
      `SELECT state FROM usage_log WHERE execution_id = $1 ORDER BY round`,
      [ingestionId],
    );
    return rows.map(({ state }) => state);
  }

  async count(table: 'chunk' | 'embedding'): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table}`,
    );
    return rows[0]?.count ?? 0;
  }

  async files(): Promise<readonly string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.dataSource.destroy();
    await this.deployment.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
