import type { DataSource } from 'typeorm';
import {
  documentSearchOutcomeSchema,
  documentSearchSchema,
  type DocumentSearch,
  type DocumentSearchOutcome,
} from '#libs/payloads';
import { queryRows } from '../sql.js';

/** A search of a person in a datasource. */
export interface AskedSearch {
  /** UUID v7. */
  readonly id: string;
  readonly tenantId: string;
  readonly datasourceId: number;
  readonly search: DocumentSearch;
}

/** Minutes after which no client waits for the answer any more. */
const FORGOTTEN_AFTER_MINUTES = 10;

/** Searches of people in documents, who wait for the answer. */
export class DocumentSearchStore {
  constructor(private readonly dataSource: DataSource) {}

  async begin({ id, tenantId, datasourceId, search }: AskedSearch): Promise<void> {
    await queryRows(
      this.dataSource,
      `INSERT INTO document_search (id, tenant_id, datasource_id, search) VALUES ($1, $2, $3, $4)`,
      [id, tenantId, datasourceId, JSON.stringify(search)],
    );
  }

  /** Takes it, once: a job that comes twice pays for no vector twice. Null where it was taken before, or was ended. */
  async take(tenantId: string, id: string): Promise<AskedSearch | null> {
    const [row] = await queryRows<{ datasourceId: number; search: unknown }>(
      this.dataSource,
      `UPDATE document_search SET taken_at = now() WHERE tenant_id = $1 AND id = $2 AND taken_at IS NULL
       RETURNING datasource_id AS "datasourceId", search`,
      [tenantId, id],
    );
    if (row === undefined) return null;
    return { id, tenantId, datasourceId: row.datasourceId, search: documentSearchSchema.parse(row.search) };
  }

  async finish(tenantId: string, id: string, outcome: DocumentSearchOutcome): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE document_search SET outcome = $3 WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id, JSON.stringify(outcome)],
    );
  }

  /** Deletes it. Answers its outcome; null where there is none yet. */
  async end(tenantId: string, id: string): Promise<DocumentSearchOutcome | null> {
    const [row] = await queryRows<{ outcome: unknown }>(
      this.dataSource,
      `DELETE FROM document_search WHERE tenant_id = $1 AND id = $2 RETURNING outcome`,
      [tenantId, id],
    );
    return documentSearchOutcomeSchema.nullable().parse(row?.outcome ?? null);
  }

  /** Removes the searches of API processes that have died. Answers how many that were. */
  async expire(): Promise<number> {
    const rows = await queryRows(
      this.dataSource,
      `DELETE FROM document_search WHERE created_at < now() - interval '${FORGOTTEN_AFTER_MINUTES} minutes' RETURNING id`,
      [],
    );
    return rows.length;
  }
}
