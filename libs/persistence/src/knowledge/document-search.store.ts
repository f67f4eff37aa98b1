import { IsNull, type DataSource, type Repository } from 'typeorm';
import {
  documentSearchOutcomeSchema,
  documentSearchSchema,
  type DocumentSearch,
  type DocumentSearchOutcome,
} from '#libs/payloads';
import { DocumentSearchEntity } from '../entities/document-search.entity.js';
import { changeRow, insertRow } from '../rows/versioned-repository.js';

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
  private readonly searches: Repository<DocumentSearchEntity>;

  constructor(dataSource: DataSource) {
    this.searches = dataSource.getRepository(DocumentSearchEntity);
  }

  async begin({ search, ...asked }: AskedSearch): Promise<void> {
    await insertRow(this.searches, { ...asked, search: { ...search } });
  }

  /** Takes it, once: a job that comes twice pays for no vector twice. Null if it was taken before, or was ended. */
  async take(tenantId: string, id: string): Promise<AskedSearch | null> {
    const asked = { tenantId, id, takenAt: IsNull() };
    const taken = await changeRow(this.searches, asked, { takenAt: () => 'now()' });
    if (taken === null) return null;
    const { datasourceId, search } = taken;
    return { id, tenantId, datasourceId, search: documentSearchSchema.parse(search) };
  }

  async finish(tenantId: string, id: string, outcome: DocumentSearchOutcome): Promise<void> {
    await changeRow(this.searches, { tenantId, id }, { outcome: { ...outcome } });
  }

  /** Deletes it. Answers its outcome; null if there is none yet. */
  async end(tenantId: string, id: string): Promise<DocumentSearchOutcome | null> {
    const deletion = this.searches.createQueryBuilder().delete().where({ tenantId, id });
    const [row] = (await deletion.returning('outcome').execute()).raw as { outcome: unknown }[];
    return documentSearchOutcomeSchema.nullable().parse(row?.outcome ?? null);
  }

  /** Removes the searches of API processes that have died. Answers how many that were. */
  async expire(): Promise<number> {
    const isForgotten = `created_at < now() - interval '${FORGOTTEN_AFTER_MINUTES} minutes'`;
    const deletion = this.searches.createQueryBuilder().delete().where(isForgotten);
    return (await deletion.execute()).affected ?? 0;
  }
}
