import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What somebody used of a rate limit in its window, where no Redis is used. Unlogged: fast, and allowed to be lost. */
@Entity('rate_limit')
export class RateLimitEntity {
  /** The limit and whose it is, e.g. `tenant:default`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rate_limit_pkey' })
  key!: string;

  @Column('integer')
  points!: number;

  /** The end of the window. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
