import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** What a person looks for in a datasource, while they wait for the answer; it goes with that. */
@Entity('document_search')
@Index('document_search_created_idx', ['createdAt'])
export class DocumentSearchEntity {
  /** UUID v7; what its vector cost stands in `usage_log` under it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_search_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('int', { name: 'datasource_id' })
  datasourceId!: number;

  /** As it was asked. */
  @Column('jsonb')
  search!: JsonObject;

  /** By a worker, once. */
  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;

  /** What the worker answers. */
  @Column('jsonb', { nullable: true })
  outcome!: JsonObject | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
