import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { LeasedRow } from './leased-row.js';

/** What a domain has ordered to be done outside of the database, until it is done or given up. */
@Entity('domain_task')
@Index('domain_task_due_idx', ['dueAt'])
export class DomainTaskEntity extends LeasedRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'domain_task_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  kind!: string;

  @Column('jsonb')
  data!: object;

  /** How often it was, or was about to be, tried. */
  @Column('integer', { default: 0 })
  tries!: number;
}
