import {
  DocumentStore,
  type DocumentAcceptance,
  type DocumentSource,
  type KnowledgeQuota,
  type NewDocument,
  type NewDocumentAcceptance,
  type NewGeneration,
} from '#libs/knowledge';
import { Any, Raw, type DataSource, type EntityManager, type Repository } from 'typeorm';
import { BlobDisposalEntity } from '../entities/blob-disposal.entity.js';
import { DatasourceEntity } from '../entities/datasource.entity.js';
import { DocumentIngestionEntity } from '../entities/document-ingestion.entity.js';
import { DocumentEntity } from '../entities/document.entity.js';
import { dropGenerations, findOverKnowledgeQuota, lockKnowledge } from './knowledge-sql.js';
import { findRepeated } from './repeated-upload.js';

/** Accepts, replaces and removes documents. Counts and removals under the lock of a tenant are in `knowledge-sql.ts`. */
export class DocumentChangesStore extends DocumentStore {
  private readonly disposals: Repository<BlobDisposalEntity>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.disposals = dataSource.getRepository(BlobDisposalEntity);
  }

  override async announceBlob(tenantId: string, blobKey: string, forMs: number): Promise<void> {
    const insert = this.disposals.createQueryBuilder().insert();
    await insert
      .values({ tenantId, blobKey, dueAt: () => LATER })
      .setParameters({ forMs })
      .execute();
  }

  override async accept(
    { documentId, ingestionId, tenantId, datasourceId, title, given, idempotency = null }: NewDocument,
    quota: KnowledgeQuota,
  ): Promise<NewDocumentAcceptance> {
    return this.dataSource.transaction(async (manager) => {
      await lockKnowledge(manager, tenantId);
      const repeated =
        idempotency === null ? null : await findRepeated(manager, 'document', tenantId, idempotency);
      if (repeated !== null) return repeated;
      const more = { documents: 1, bytes: sizeOf(given) };
      const bound = await findOverKnowledgeQuota(manager, tenantId, quota, more);
      if (bound !== null) return { kind: 'over_quota', bound };
      if (!(await holdDatasource(manager, tenantId, datasourceId))) return { kind: 'not_found' };
      const { key: idempotencyKey = null, requestSha256 = null } = idempotency ?? {};
      const document = { id: documentId, tenantId, datasourceId, title, idempotencyKey, requestSha256 };
      await manager.insert(DocumentEntity, document);
      await insertGeneration(manager, { ingestionId, tenantId, documentId, generation: 1, given });
      return { kind: 'accepted', generation: 1, version: 1 };
    });
  }

  override async replace(
    { ingestionId, tenantId, documentId, title, given, expected }: NewGeneration,
    quota: KnowledgeQuota,
  ): Promise<DocumentAcceptance> {
    return transactionOrRefusal(this.dataSource, async (manager) => {
      await lockKnowledge(manager, tenantId);
      const document = await lockDocument(manager, tenantId, documentId);
      if (document === null) return { kind: 'not_found' };
      if (expected?.includes(document.version) === false) return { kind: 'other_version' };
      // Generations begin at 1, so 0 keeps none where none is searched.
      await dropGenerations(manager, { tenantId, documentId, except: document.liveGeneration ?? 0 });
      // The dropped generations are not counted; a refusal takes their removal back.
      const more = { bytes: sizeOf(given) };
      const bound = await findOverKnowledgeQuota(manager, tenantId, quota, more);
      if (bound !== null) throw new Refusal({ kind: 'over_quota', bound });
      const generation = document.generation + 1;
      const version = document.version + 1;
      const values = { generation, version, title: title ?? document.title };
      await manager.update(DocumentEntity, { id: documentId }, values);
      await insertGeneration(manager, { ingestionId, tenantId, documentId, generation, given });
      return { kind: 'accepted', generation, version };
    });
  }

  override async remove(
    tenantId: string,
    documentId: string,
    expected: readonly number[] | null,
  ): Promise<'removed' | 'not_found' | 'other_version'> {
    return this.dataSource.transaction(async (manager) => {
      await lockKnowledge(manager, tenantId);
      const document = await lockDocument(manager, tenantId, documentId);
      if (document === null) return 'not_found';
      if (expected?.includes(document.version) === false) return 'other_version';
      await dropGenerations(manager, { tenantId, documentId, except: null });
      await manager.delete(DocumentEntity, { id: documentId });
      return 'removed';
    });
  }

  override async disposableBlobs(limit: number): Promise<readonly string[]> {
    const due = await this.disposals.find({
      select: { blobKey: true },
      where: { dueAt: Raw((dueAt) => `${dueAt} <= now()`) },
      order: { dueAt: 'ASC' },
      take: limit,
    });
    return due.map(({ blobKey }) => blobKey);
  }

  override async forgetBlobs(blobKeys: readonly string[]): Promise<void> {
    await this.disposals.delete({ blobKey: Any(blobKeys) });
  }

  override async putOffBlobs(blobKeys: readonly string[], forMs: number): Promise<void> {
    const update = this.disposals
      .createQueryBuilder()
      .update()
      .set({ dueAt: () => LATER });
    await update
      .where({ blobKey: Any(blobKeys) })
      .setParameters({ forMs })
      .execute();
  }
}

const LATER = `now() + :forMs::float8 * interval '1 millisecond'`;

/** Ends a transaction and rolls its changes back. */
class Refusal extends Error {
  constructor(readonly answer: DocumentAcceptance) {
    super(answer.kind);
  }
}

async function transactionOrRefusal(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<DocumentAcceptance>,
): Promise<DocumentAcceptance> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** Whether the tenant has this datasource. Until the transaction ends, its change or deletion waits. */
async function holdDatasource(manager: EntityManager, tenantId: string, id: number): Promise<boolean> {
  const held = { select: { id: true }, where: { tenantId, id }, lock: { mode: 'for_key_share' } } as const;
  return (await manager.findOne(DatasourceEntity, held)) !== null;
}

async function lockDocument(
  manager: EntityManager,
  tenantId: string,
  id: string,
): Promise<DocumentEntity | null> {
  return manager.findOne(DocumentEntity, { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
}

/** Inserts a generation, and takes its blob over from the disposal. */
async function insertGeneration(
  manager: EntityManager,
  {
    ingestionId: id,
    given,
    ...row
  }: { ingestionId: string; tenantId: string; documentId: string; generation: number; given: DocumentSource },
): Promise<void> {
  if (given.source !== 'url') await manager.delete(BlobDisposalEntity, { blobKey: given.original.blobKey });
  await manager.insert(DocumentIngestionEntity, { id, ...row, ...toValues(given), state: 'waiting' });
}

function toValues(given: DocumentSource) {
  if (given.source === 'url') return given;
  const { source, fileName, mediaType, original } = given;
  const { blobKey, sizeBytes, contentHash } = original;
  return { source, fileName, mediaType, blobKey, sizeBytes: String(sizeBytes), contentHash };
}

/** The size of a URL is not known before it is fetched: one byte at least. */
function sizeOf(given: DocumentSource): number {
  return given.source === 'url' ? 1 : given.original.sizeBytes;
}
