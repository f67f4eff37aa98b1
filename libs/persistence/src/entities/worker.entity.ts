import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A worker process that announced itself. It lives as long as its session holds the advisory lock of its number. */
@Entity('worker')
@Unique('UQ_WORKER_ID', ['id'])
export class WorkerEntity {
  @PrimaryGeneratedColumn('identity', {
    name: 'lock_number',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'worker_pkey',
  })
  lockNumber!: number;

  /** As `lease_owner` of the executions that it runs. */
  @Column('text')
  id!: string;

  /** Executions that it runs at once. */
  @Column('integer', { default: 0 })
  places!: number;

  /** Version of its program; null: of one that did not say. */
  @Column('text', { nullable: true })
  release!: string | null;

  /** What it does. */
  @Column('text', { array: true, default: '{}' })
  roles!: string[];

  /** Since when it begins nothing new. */
  @Column('timestamptz', { name: 'draining_since', nullable: true })
  drainingSince!: Date | null;

  @CreateDateColumn({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;
}
