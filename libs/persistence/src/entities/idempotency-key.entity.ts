import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/** Maps a client's `Idempotency-Key` to its execution and request hash. */
@Entity('idempotency_key')
export class IdempotencyKeyEntity {
  @PrimaryColumn('text', { name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('varchar', { length: 255 })
  key!: string;

  /** SHA-256 of route and body, hexadecimal. */
  @Column('text', { name: 'request_sha256' })
  requestSha256!: string;

  @Index('idempotency_key_execution_idx')
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'execution_id' })
  executionId!: string;

  @Index()
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
