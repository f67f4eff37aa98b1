import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createDataSource, DocumentChangesStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { ServedCall, UsageRow } from '../documents/bill/find-bill-faults.js';
import { openWhole } from '../../support/services/open-whole.js';
import { acceptDocument, giveDocument, replaceDocument, type GivenDocument } from './give-document.js';

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

export type VectorCall = ServedCall & { readonly body: { readonly input: readonly string[] } };

/** Real worker processes that ingest documents, with the simulator as their model. */
export class IngestionLane {
  private constructor(
    private readonly deployment: Deployment,
    private readonly folder: string,
    private readonly dataSource: DataSource,
    readonly database: Pool,
    private readonly datasourceId: number,
  ) {}

  /** @param own a seeded database in place of a fresh one */
  static open(backend: QueueBackend, own?: Parameters<typeof Deployment.on>[0]): Promise<IngestionLane> {
    return openWhole(async (begun) => {
      const folder = await mkdtemp(join(tmpdir(), 'documents-'));
      begun({ close: () => rm(folder, { recursive: true, force: true }) });
      const settings = { ...QUICK, DOCUMENTS_ROOT: folder };
      const deployment = begun(await Deployment.on(own ?? (await createSeededDatabase()), backend, settings));
      const dataSource = await createDataSource({ url: deployment.databaseUrl }).initialize();
      begun({ close: () => dataSource.destroy() });
      const database = new Pool({ connectionString: deployment.databaseUrl, max: 3 });
      begun({ close: () => database.end() });
      // A killed server ends the pool's connections with an error.
      database.on('error', () => undefined);
      const { rows } = await database.query<{ id: number }>(
        `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
       SELECT 'default', 'docs', min(id), 'sim-embedding', 8, 64, 0 FROM llm RETURNING id`,
      );
      return new IngestionLane(deployment, folder, dataSource, database, rows[0]?.id ?? 0);
    });
  }

  /** @param program a file below the root in place of the worker's own */
  startWorker(settings: Readonly<Record<string, string>> = {}, program?: string): Promise<ServiceProcess> {
    return this.deployment.startWorker(settings, program);
  }

  give(text: string): Promise<GivenDocument> {
    const { dataSource, folder, datasourceId } = this;
    return giveDocument(dataSource, { folder, datasourceId, title: 'A', text });
  }

  /** Stores a document by URL directly, because the API would refuse a loopback address. */
  giveUrl(url: string): Promise<GivenDocument> {
    const { dataSource, datasourceId } = this;
    return acceptDocument(dataSource, { datasourceId, title: 'A', given: { source: 'url', url } });
  }

  /** Replaces the document's content by a new generation; returns the id of its ingestion. */
  async replace(documentId: string, text: string): Promise<string> {
    const { dataSource, folder } = this;
    return replaceDocument(dataSource, { folder, documentId, text });
  }

  remove(documentId: string): Promise<string> {
    return new DocumentChangesStore(this.dataSource).remove('default', documentId, null);
  }

  /**
   * Takes the tenant's advisory lock, for which the begin and end of chunks and of the ingestion wait. Returns its release.
   */
  async holdTenant(): Promise<() => Promise<void>> {
    const client = await this.database.connect();
    client.on('error', () => undefined);
    await client.query(`SELECT pg_advisory_lock(hashtext('knowledge'), hashtext('default'))`);
    return async () => {
      const isAlive = await client.query(`SELECT pg_advisory_unlock_all()`).then(
        () => true,
        () => false,
      );
      // A lost connection has lost its lock as well.
      client.release(!isAlive);
    };
  }

  /** Delays the answer to the n-th embedding call by `ms`; without `ms` it never comes. */
  async hangCall(call: number, ms?: number): Promise<void> {
    const late = { kind: 'hang_before_headers', ...(ms !== undefined && { ms }) };
    const fault = { on: { endpoint: 'embeddings', call }, fault: late };
    await fetch(`${this.deployment.simulatorUrl}/__control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ faults: [fault] }),
    });
  }

  /** The texts of each embedding call that the simulator received. */
  async embeddedTexts(): Promise<readonly (readonly string[])[]> {
    return (await this.vectorCalls()).map(({ body }) => body.input);
  }

  /**
   * Waits until the call is open in the row and has arrived at the model server; the row is written before the call is sent.
   */
  async waitForCall(ingestionId: string, count = 1): Promise<void> {
    await this.waitUntil(ingestionId, 'the call', ({ is_call_open }) => is_call_open);
    await waitFor(async () => (await this.vectorCalls()).length >= count, {
      description: 'the call to arrive',
    });
  }

  async vectorCalls(): Promise<readonly VectorCall[]> {
    const answer = await fetch(`${this.deployment.simulatorUrl}/__control/requests`);
    const { requests } = (await answer.json()) as { requests: readonly VectorCall[] };
    return requests.filter(({ endpoint }) => endpoint === 'embeddings');
  }

  /** All usage rows. */
  async usage(): Promise<readonly UsageRow[]> {
    const { rows } = await this.database.query<UsageRow>(
      `SELECT purpose, state, total_tokens::int FROM usage_log`,
    );
    return rows;
  }

  async forgetFaults(): Promise<void> {
    await fetch(`${this.deployment.simulatorUrl}/__control/faults`, { method: 'DELETE' });
  }

  /** Deletes documents, usage and recorded requests before the next test. */
  async clear(): Promise<void> {
    await fetch(`${this.deployment.simulatorUrl}/__control`, { method: 'DELETE' });
    await this.database.query(`DELETE FROM document; DELETE FROM embedding; DELETE FROM usage_log`);
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
    // A file at the top of the folder is the store's marker.
    const blobs = entries.filter((entry) => entry.isFile() && entry.parentPath !== this.folder);
    return blobs.map(({ name }) => name);
  }

  /** Makes the announced disposals due now, in place of after an hour. */
  async endAnnouncements(): Promise<void> {
    await this.database.query('UPDATE blob_disposal SET due_at = now()');
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.dataSource.destroy();
    await this.deployment.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
