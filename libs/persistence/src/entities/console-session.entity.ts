import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

/** A browser that an API key has signed in. Only a hash of its token is kept; without the key there is no session. */
@Entity('console_session')
@Index('console_session_tenant_idx', ['tenantId', 'id'])
@Index('console_session_key_idx', ['keyId', 'id'])
@Index('console_session_expires_idx', ['expiresAt'])
export class ConsoleSessionEntity {
  /** UUID v7, the public part of the token. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'console_session_pkey' })
  id!: string;

  /** Tenant of the key. */
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => ApiKeyEntity, { onDelete: 'CASCADE', name: 'console_session_key_fkey' })
  @Column('text', { name: 'key_id' })
  keyId!: string;

  /** SHA-256 of the secret part, hexadecimal. */
  @Column('text', { name: 'token_sha256' })
  tokenSha256!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** No later than the end of the key. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
