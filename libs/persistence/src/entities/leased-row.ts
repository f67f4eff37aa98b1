import { Column } from 'typeorm';

/** Columns of a row that jobs process one at a time under a lease; the row is authoritative, its job a hint. */
export abstract class LeasedRow {
  /** Earliest time of the next try. */
  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;

  /** Time at which its job was sent; null if no job is pending. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** Fencing token: random for each claim; the worker writes under it. */
  @Column('uuid', { name: 'claim_token', nullable: true })
  claimToken!: string | null;

  /** End of the current worker's lease. */
  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;
}
