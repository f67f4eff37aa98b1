import type { DocumentWarning } from '#libs/knowledge';
import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DocumentEntity } from './document.entity.js';
import { LeasedRow } from './leased-row.js';

/** One generation of a document: its source, its progress and its lease. */
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
  /** UUID v7; the usage rows of its embeddings refer to it. */
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

  /** Media type given by the client or server; null without one. */
  @Column('text', { name: 'media_type', nullable: true })
  mediaType!: string | null;

  /** Type detected by the parser; null before parsing. */
  @Column('text', { nullable: true })
  kind!: string | null;

  /** Blob of the original; null until it is fetched. */
  @Column('text', { name: 'blob_key', nullable: true })
  blobKey!: string | null;

  @Column('bigint', { name: 'size_bytes', nullable: true })
  sizeBytes!: string | null;

  /** SHA-256 of the original. */
  @Column('bytea', { name: 'content_hash', nullable: true })
  contentHash!: Buffer | null;

  /** Current or next step. */
  @Column('text')
  state!: 'waiting' | 'fetching' | 'parsing' | 'chunking' | 'embedding' | 'indexing' | 'ready' | 'failed';

  /** Number of chunks with a vector, out of `progress_total` (null while unknown). */
  @Column('integer', { name: 'progress_done', default: 0 })
  progressDone!: number;

  @Column('integer', { name: 'progress_total', nullable: true })
  progressTotal!: number | null;

  @Column('integer', { name: 'chunk_count', default: 0 })
  chunkCount!: number;

  /** Warnings about text that is in no chunk. */
  @Column('jsonb', { default: [] })
  warnings!: readonly DocumentWarning[];

  /** Reason of the failure or of the last postponement; reset to null by any success. */
  @Column('text', { name: 'error_code', nullable: true })
  errorCode!: string | null;

  @Column('text', { name: 'error_text', nullable: true })
  errorText!: string | null;

  /** Consecutive transient failures; any success resets it to 0. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** Consecutive claims with a worker that was lost before it wrote progress. */
  @Column('integer', { default: 0 })
  losses!: number;

  /** Number of started embedding calls; numbers their usage rows. */
  @Column('integer', { default: 0 })
  calls!: number;

  /** True while the outcome of the last call is not recorded. */
  @Column('boolean', { name: 'is_call_open', default: false })
  isCallOpen!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Time at which it became ready or failed. */
  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
