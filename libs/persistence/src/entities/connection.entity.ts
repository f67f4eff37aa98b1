import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { TenantEntity } from './tenant.entity.js';
import { ToolServerEntity } from './tool-server.entity.js';

export const CONNECTION_STATUSES = ['pending', 'connected', 'needs_reconnect', 'revoked'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** What one person of a tenant has agreed to: that a tool server is used on their behalf, by tokens of OAuth. */
@Entity('connection')
@Check('connection_status_check', `"status" IN ('pending', 'connected', 'needs_reconnect', 'revoked')`)
@Index('connection_user_key', ['tenantId', 'serverId', 'userId'], { unique: true })
@Index('connection_tenant_idx', ['tenantId', 'id'])
@Index('connection_status_idx', ['tenantId', 'status', 'id'])
@Index('connection_of_user_idx', ['tenantId', 'userId', 'id'])
export class ConnectionEntity {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'connection_pkey' })
  id!: string;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'connection_tenant_fkey' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => ToolServerEntity, { onDelete: 'CASCADE', name: 'connection_server_fkey' })
  @Index('connection_server_idx')
  @Column('uuid', { name: 'server_id' })
  serverId!: string;

  /** `executor.user_id` of requests. */
  @Column('varchar', { name: 'user_id', length: 200 })
  userId!: string;

  @Column('text', { default: 'pending' })
  status!: ConnectionStatus;

  /** Why the person has to connect again. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** What was granted, as the authorization server says it. */
  @Column('text', { nullable: true })
  scope!: string | null;

  /** What the server wanted beyond that. */
  @Column('text', { name: 'missing_scope', nullable: true })
  missingScope!: string | null;

  /** Sealed JSON: tokens, and the client whose they are. */
  @Column('text', { name: 'grant_sealed', nullable: true })
  grantSealed!: string | null;

  /** Where the tokens may go, as a hash: not to another host that the server is pointed at later. */
  @Column('text', { nullable: true })
  destination!: string | null;

  @Column('timestamptz', { name: 'token_issued_at', nullable: true })
  tokenIssuedAt!: Date | null;

  @Column('timestamptz', { name: 'token_expires_at', nullable: true })
  tokenExpiresAt!: Date | null;

  /** Of the process that renews the tokens, until `refresh_until`. */
  @Column('uuid', { name: 'refresh_lease', nullable: true })
  refreshLease!: string | null;

  @Column('timestamptz', { name: 'refresh_until', nullable: true })
  refreshUntil!: Date | null;

  /** Of what is under way: a consent that was asked for, or tokens that are to be revoked. */
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId!: string | null;

  /** SHA-256 of what has to come back with the answer, as 64 hexadecimal digits; null once it has. */
  @Index('connection_attempt_state_key', { unique: true })
  @Column('text', { name: 'attempt_state', nullable: true })
  attemptState!: string | null;

  /** Sealed JSON, for the worker that goes on with it. */
  @Column('text', { name: 'attempt_sealed', nullable: true })
  attemptSealed!: string | null;

  /** What went wrong, in words of ours. */
  @Column('text', { name: 'attempt_fault', nullable: true })
  attemptFault!: string | null;

  @Column('timestamptz', { name: 'attempt_expires_at', nullable: true })
  attemptExpiresAt!: Date | null;

  @Column('timestamptz', { name: 'connected_at', nullable: true })
  connectedAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
