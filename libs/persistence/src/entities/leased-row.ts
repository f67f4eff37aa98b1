import { Column } from 'typeorm';

/** What every row has that a job works at, one process at a time; the row is the truth, its job a hint. */
export abstract class LeasedRow {
  /** When its next try may begin. */
  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;

  /** When its job was sent; null when nobody has it in hand. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** Random: whoever works at it writes under it. */
  @Column('uuid', { name: 'claim_token', nullable: true })
  claimToken!: string | null;

  /** Whoever works at it holds it until then. */
  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;
}
