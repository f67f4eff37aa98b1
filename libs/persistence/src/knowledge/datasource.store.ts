import { Any, MoreThan, type DataSource, type Repository } from 'typeorm';
import { DatasourceEntity } from '../entities/datasource.entity.js';
import { holdLlm } from '../resources/hold-llm.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { isReferredTo, isTaken } from '../rows/sql-state.js';
import {
  changedView,
  changeVersioned,
  deleteVersioned,
  insertUnlessTaken,
  versionedView,
} from '../rows/versioned-repository.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';

/** A datasource as the API shows it. */
export interface DatasourceView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly llm_id: number;
  readonly embed_model: string;
  readonly dimensions: number;
  readonly chunk_tokens: number;
  readonly overlap_tokens: number;
  /** Number of its documents, ready or not. */
  readonly document_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DatasourceFields = Omit<DatasourceView, 'id' | 'document_count' | 'created_at' | 'updated_at'>;

/** `name_taken`: by another datasource of the tenant. `unknown_llm`: the tenant has no such model configuration. */
type Refusal = { readonly kind: 'name_taken' | 'unknown_llm' };
export type DatasourceCreation = ({ readonly kind: 'created' } & Versioned<DatasourceView>) | Refusal;
/** `has_documents`: their vectors are of the model and the dimensions that were to change. */
export type DatasourceChange =
  VersionedChange<DatasourceView> | Refusal | { readonly kind: 'has_documents' | 'overlap_too_long' };

/** Datasources of one tenant. */
export class DatasourceStore {
  private readonly datasources: Repository<DatasourceEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.datasources = dataSource.getRepository(DatasourceEntity);
  }

  /** By id, ascending. */
  async list(
    tenantId: string,
    { afterId = 0, limit }: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<DatasourceView>> {
    const datasources = this.datasources
      .createQueryBuilder('datasource')
      .where({ tenantId, id: MoreThan(afterId) });
    return mapRows(await readEntityPage(this.datasources, datasources, { orderBy: 'id', limit }), toView);
  }

  async find(tenantId: string, id: number): Promise<Versioned<DatasourceView> | null> {
    const datasource = await this.datasources.findOneBy({ tenantId, id });
    return datasource && versionedView(datasource, toView);
  }

  async findByName(tenantId: string, name: string): Promise<Versioned<DatasourceView> | null> {
    const datasource = await this.datasources.findOneBy({ tenantId, name });
    return datasource && versionedView(datasource, toView);
  }

  /** Answers the `ids` that the tenant has. No ids: no statement. */
  async findKnown(tenantId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const known = await this.datasources.find({ select: { id: true }, where: { tenantId, id: Any(ids) } });
    return new Set(known.map(({ id }) => id));
  }

  async create(tenantId: string, fields: DatasourceFields): Promise<DatasourceCreation> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await holdLlm(manager, tenantId, fields.llm_id))) return { kind: 'unknown_llm' };
      const values = { tenantId, ...toValues(fields) };
      const made = await insertUnlessTaken(manager.getRepository(DatasourceEntity), values);
      if (made === null) return { kind: 'name_taken' };
      return { kind: 'created', ...versionedView(Object.assign(made, { documentCount: 0 }), toView) };
    });
  }

  /** Fields that are not given stay. Documents that come at the same time see the change, or forbid it. */
  async update(
    tenantId: string,
    id: number,
    fields: Partial<DatasourceFields>,
    expected: ExpectedVersions,
  ): Promise<DatasourceChange> {
    const where = { tenantId, id };
    const lock = { select: { id: true }, where, lock: { mode: 'pessimistic_write' } } as const;
    const given = toValues(fields);
    try {
      return await this.dataSource.transaction(async (manager) => {
        const datasources = manager.getRepository(DatasourceEntity);
        // The lock waits for documents that are being accepted, and the next statement counts them.
        await datasources.findOne(lock);
        const before = await datasources.findOneBy(where);
        if (before === null) return { kind: 'not_found' };
        if (expected !== null && !expected.includes(before.version)) return { kind: 'other_version' };
        const { documentCount } = before;
        if (documentCount > 0 && VECTOR_FIELDS.some((field) => isOther(before[field], given[field])))
          return { kind: 'has_documents' };
        if ((given.overlapTokens ?? before.overlapTokens) >= (given.chunkTokens ?? before.chunkTokens))
          return { kind: 'overlap_too_long' };
        if (!(await holdLlm(manager, tenantId, given.llmId ?? before.llmId))) return { kind: 'unknown_llm' };
        const change = await changeVersioned(datasources, where, given, expected);
        return changedView(change, (changed) => toView(Object.assign(changed, { documentCount })));
      });
    } catch (error) {
      if (isTaken(error)) return { kind: 'name_taken' };
      throw error;
    }
  }

  async delete(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version' | 'has_documents'> {
    try {
      return await deleteVersioned(this.datasources, { tenantId, id }, expected);
    } catch (error) {
      if (isReferredTo(error)) return 'has_documents';
      throw error;
    }
  }
}

/** Fields that the vectors of all documents depend on. */
const VECTOR_FIELDS = ['llmId', 'embedModel', 'dimensions'] as const;

function isOther(before: unknown, given: unknown): boolean {
  return given !== undefined && given !== before;
}

function toValues(fields: Partial<DatasourceFields>) {
  const { name, description, dimensions, llm_id: llmId, embed_model: embedModel } = fields;
  const { chunk_tokens: chunkTokens, overlap_tokens: overlapTokens } = fields;
  return { name, description, dimensions, llmId, embedModel, chunkTokens, overlapTokens };
}

function toView(datasource: DatasourceEntity): DatasourceView {
  const { id, name, description, dimensions, llmId: llm_id, embedModel: embed_model } = datasource;
  const { chunkTokens: chunk_tokens, overlapTokens: overlap_tokens } = datasource;
  return {
    ...{ id, name, description, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens },
    document_count: datasource.documentCount,
    created_at: datasource.createdAt.toISOString(),
    updated_at: datasource.updatedAt.toISOString(),
  };
}
