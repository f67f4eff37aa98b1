import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Used points of one rate limit in its current window, in installations without Redis. Unlogged: fast, and may be lost. */
@Entity('rate_limit')
export class RateLimitEntity {
  /** Limit and its subject, e.g. `tenant:default`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rate_limit_pkey' })
  key!: string;

  @Column('integer')
  points!: number;

  /** End of the window. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
