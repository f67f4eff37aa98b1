import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** Request with an `Idempotency-Key`, and its stored response. */
@Entity('kept_answer')
@Index('kept_answer_expires_idx', ['expiresAt'])
export class KeptAnswerEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'kept_answer_pkey' })
  tenantId!: string;

  @PrimaryColumn('varchar', { length: 255, primaryKeyConstraintName: 'kept_answer_pkey' })
  key!: string;

  /** Hash of route and body, hexadecimal; keyed if a sealing key is configured. */
  @Column('text', { name: 'request_hash' })
  requestHash!: string;

  /** Identifies the single request that may write the response. */
  @Column('uuid')
  claim!: string;

  /** Time after which another request may claim a key without a response. */
  @Column('timestamptz', { name: 'claimed_until' })
  claimedUntil!: Date;

  /** HTTP status; null while the request is in progress. */
  @Column('int', { nullable: true })
  status!: number | null;

  @Column('jsonb', { nullable: true })
  headers!: JsonObject | null;

  /** JSON, sealed if a sealing key is configured; null without a body. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
