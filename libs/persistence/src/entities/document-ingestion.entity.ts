import type { DocumentWarning } from '#libs/knowledge';
import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DocumentEntity } from './document.entity.js';
import { LeasedRow } from './leased-row.js';

/** One generation of a document: what was given, how far it has come, who works at it. */
@Entity('document_ingestion')
@Check('document_ingestion_source_check', `"source" IN ('upload', 'text', 'url')`)
@Check(
  'document_ingestion_state_check',
  `"state" IN ('waiting', 'fetching', 'parsing', 'chunking', 'embedding', 'indexing', 'ready', 'failed')`,
)
@Index('document_ingestion_generation_key', ['documentId', 'generation'], { unique: true })
@Index('document_ingestion_tenant_idx', ['tenantId', 'state'])
@Index('document_ingestion_due_idx', ['tenantId', 'dueAt'], { where: `"finished_at" IS NULL` })
export class DocumentIngestionEntity extends LeasedRow {
  /** UUID v7; what the usage rows of its embeddings name. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_ingestion_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => DocumentEntity, { onDelete: 'CASCADE', name: 'document_ingestion_document_fkey' })
  @Column('uuid', { name: 'document_id' })
  documentId!: string;

  @Column('integer')
  generation!: number;

  @Column('text')
  source!: 'upload' | 'text' | 'url';

  @Column('text', { nullable: true })
  url!: string | null;

  @Column('text', { name: 'file_name', nullable: true })
  fileName!: string | null;

  /** As whoever gave it said; null where nobody has. */
  @Column('text', { name: 'media_type', nullable: true })
  mediaType!: string | null;

  /** What the parser found it to be; null until then. */
  @Column('text', { nullable: true })
  kind!: string | null;

  /** The original; null until it is fetched. */
  @Column('text', { name: 'blob_key', nullable: true })
  blobKey!: string | null;

  @Column('bigint', { name: 'size_bytes', nullable: true })
  sizeBytes!: string | null;

  /** SHA-256 of the original. */
  @Column('bytea', { name: 'content_hash', nullable: true })
  contentHash!: Buffer | null;

  /** The step that is under way, or next. */
  @Column('text')
  state!: 'waiting' | 'fetching' | 'parsing' | 'chunking' | 'embedding' | 'indexing' | 'ready' | 'failed';

  /** Chunks that have their vector, of how many; null until that is known. */
  @Column('integer', { name: 'progress_done', default: 0 })
  progressDone!: number;

  @Column('integer', { name: 'progress_total', nullable: true })
  progressTotal!: number | null;

  @Column('integer', { name: 'chunk_count', default: 0 })
  chunkCount!: number;

  /** Text of it that no chunk has. */
  @Column('jsonb', { default: [] })
  warnings!: readonly DocumentWarning[];

  /** Why it has failed, or was put off last: then null as soon as anything succeeds. */
  @Column('text', { name: 'error_code', nullable: true })
  errorCode!: string | null;

  @Column('text', { name: 'error_text', nullable: true })
  errorText!: string | null;

  /** Failures in a row that may pass; 0 as soon as anything succeeds. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** Claims in a row whose worker was lost before it had written anything. */
  @Column('integer', { default: 0 })
  losses!: number;

  /** Calls for vectors that were begun; numbers their usage rows. */
  @Column('integer', { default: 0 })
  calls!: number;

  /** The last one was begun, and nobody has written what came of it. */
  @Column('boolean', { name: 'is_call_open', default: false })
  isCallOpen!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Ready or failed. */
  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
