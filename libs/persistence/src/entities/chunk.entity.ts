import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { DocumentEntity } from './document.entity.js';

/** A part of a document that is found and cited. It is searched while its generation is the live one of its document. */
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

  /** Its place in the document, from 0. */
  @Column('integer')
  ordinal!: number;

  @Column('text')
  text!: string;

  /** So many characters at its beginning are the end of the chunk before it. */
  @Column('integer', { name: 'repeated_chars', default: 0 })
  repeatedChars!: number;

  /** The headings that it stands under, outermost first. */
  @Column('text', { array: true })
  headings!: string[];

  /** From 1; null where the document has none. */
  @Column('integer', { nullable: true })
  page!: number | null;

  @Column('integer', { name: 'token_count' })
  tokenCount!: number;

  /** SHA-256 of what its vector is made of: headings and text. */
  @Column('bytea', { name: 'content_hash' })
  contentHash!: Buffer;

  /** Headings and text for full text search. */
  @Column('tsvector')
  search!: string;
}
