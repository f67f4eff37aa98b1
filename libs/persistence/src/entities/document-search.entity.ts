import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** Document search of a person who waits for the answer; deleted after it. */
@Entity('document_search')
@Index('document_search_created_idx', ['createdAt'])
export class DocumentSearchEntity {
  /** UUID v7; `usage_log` records the cost of its embedding under it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_search_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('int', { name: 'datasource_id' })
  datasourceId!: number;

  /** Parameters as requested. */
  @Column('jsonb')
  search!: JsonObject;

  /** Time at which a worker claimed the search; it is claimed once. */
  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;

  /** Answer of the worker. */
  @Column('jsonb', { nullable: true })
  outcome!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
