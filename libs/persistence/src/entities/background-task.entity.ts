import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { LeasedRow } from './leased-row.js';

/** Task outside of the database, such as a request to another service. Deleted once it is done or abandoned. */
@Entity('background_task')
@Index('background_task_due_idx', ['dueAt'])
export class BackgroundTaskEntity extends LeasedRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'background_task_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  kind!: string;

  /** Input of a try, in the shape defined by its kind. */
  @Column('jsonb')
  data!: object;

  /** Number of tries, including one in progress. */
  @Column('integer', { default: 0 })
  tries!: number;
}
