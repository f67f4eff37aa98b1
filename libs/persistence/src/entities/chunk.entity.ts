import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { DocumentEntity } from './document.entity.js';

/** Part of a document that can be found and cited. Searched while its generation is the document's live one. */
@Entity('chunk')
@Index('chunk_ordinal_key', ['documentId', 'generation', 'ordinal'], { unique: true })
@Index('chunk_content_idx', ['tenantId', 'contentHash'])
@Index('chunk_search_idx', { synchronize: false })
export class ChunkEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'chunk_pkey',
  })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Index('chunk_datasource_idx')
  @Column('integer', { name: 'datasource_id' })
  datasourceId!: number;

  @ForeignKey(() => DocumentEntity, { onDelete: 'CASCADE', name: 'chunk_document_fkey' })
  @Column('uuid', { name: 'document_id' })
  documentId!: string;

  @Column('integer')
  generation!: number;

  /** Position in the document, from 0. */
  @Column('integer')
  ordinal!: number;

  @Column('text')
  text!: string;

  /** Number of characters at its beginning that repeat the end of the previous chunk. */
  @Column('integer', { name: 'repeated_chars', default: 0 })
  repeatedChars!: number;

  /** Headings above the chunk, outermost first. */
  @Column('text', { array: true })
  headings!: string[];

  /** From 1; null for documents without pages. */
  @Column('integer', { nullable: true })
  page!: number | null;

  @Column('integer', { name: 'token_count' })
  tokenCount!: number;

  /** SHA-256 of the embedded text: headings and text. */
  @Column('bytea', { name: 'content_hash' })
  contentHash!: Buffer;

  /** Headings and text for full-text search. */
  @Column('tsvector')
  search!: string;
}
