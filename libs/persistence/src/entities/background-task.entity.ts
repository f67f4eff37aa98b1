import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { LeasedRow } from './leased-row.js';

/** Work outside of the database, such as a request to another service. It is deleted once it is done or given up. */
@Entity('background_task')
@Index('background_task_due_idx', ['dueAt'])
export class BackgroundTaskEntity extends LeasedRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'background_task_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  kind!: string;

  /** Input of a try, in the shape that its kind defines. */
  @Column('jsonb')
  data!: object;

  /** How often it was, or was about to be, tried. */
  @Column('integer', { default: 0 })
  tries!: number;
}
