import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A model host that does not answer a worker, as the list of workers shows it. */
export interface ShownHost {
  readonly host: string;
  /** Consecutive unanswered calls. */
  readonly failures: number;
  readonly breaker: 'closed' | 'open' | 'half_open';
  /** Time from which a call may try again, ISO 8601; null unless the breaker is open. */
  readonly paused_until: string | null;
}

/** Announced worker process. It counts as alive while its database session holds the advisory lock of its number. */
@Entity('worker')
@Unique('UQ_WORKER_ID', ['id'])
export class WorkerEntity {
  @PrimaryGeneratedColumn('identity', {
    name: 'lock_number',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'worker_pkey',
  })
  lockNumber!: number;

  /** Same value as `lease_owner` of its executions. */
  @Column('text')
  id!: string;

  /** Number of execution slots. */
  @Column('integer', { default: 0 })
  places!: number;

  /** Version of its program; null: of one that did not say. */
  @Column('text', { nullable: true })
  release!: string | null;

  /** Roles of the process, such as `worker`. */
  @Column('text', { array: true, default: '{}' })
  roles!: string[];

  /** URL at which it takes executions directly; null if all of its executions come from the queue. */
  @Column('text', { nullable: true })
  address!: string | null;

  /** Since when it begins nothing new. */
  @Column('timestamptz', { name: 'draining_since', nullable: true })
  drainingSince!: Date | null;

  /** Model hosts that do not answer it. */
  @Column('jsonb', { name: 'model_hosts', default: [] })
  modelHosts!: ShownHost[];

  @CreateDateColumn({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;
}
