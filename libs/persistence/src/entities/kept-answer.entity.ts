import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** A request under an `Idempotency-Key`, and its answer once there is one. */
@Entity('kept_answer')
@Index('kept_answer_expires_idx', ['expiresAt'])
export class KeptAnswerEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'kept_answer_pkey' })
  tenantId!: string;

  @PrimaryColumn('varchar', { length: 255, primaryKeyConstraintName: 'kept_answer_pkey' })
  key!: string;

  /** A hash of route and body, hexadecimal: a keyed one where there is a key for sealing. */
  @Column('text', { name: 'request_hash' })
  requestHash!: string;

  /** Names the one request that may write the answer. */
  @Column('uuid')
  claim!: string;

  /** From then on another request may take over a key that has no answer. */
  @Column('timestamptz', { name: 'claimed_until' })
  claimedUntil!: Date;

  /** HTTP status; null while the request is under way. */
  @Column('int', { nullable: true })
  status!: number | null;

  @Column('jsonb', { nullable: true })
  headers!: JsonObject | null;

  /** JSON, sealed where there is a key for that; null without a body. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
