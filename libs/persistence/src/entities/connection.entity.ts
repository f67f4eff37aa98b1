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

/** Consent of one user of a tenant to the use of a tool server on their behalf, with OAuth tokens. */
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

  /** Reason why the user must connect again. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** Granted scope, as reported by the authorization server. */
  @Column('text', { nullable: true })
  scope!: string | null;

  /** Scope that the server required beyond the granted one. */
  @Column('text', { name: 'missing_scope', nullable: true })
  missingScope!: string | null;

  /** Sealed JSON: the tokens and the client that they were issued to. */
  @Column('text', { name: 'grant_sealed', nullable: true })
  grantSealed!: string | null;

  /** Hash of the server's destination; tokens are not sent to a different one after a reconfiguration. */
  @Column('text', { nullable: true })
  destination!: string | null;

  @Column('timestamptz', { name: 'token_issued_at', nullable: true })
  tokenIssuedAt!: Date | null;

  @Column('timestamptz', { name: 'token_expires_at', nullable: true })
  tokenExpiresAt!: Date | null;

  /** Lease of the process that refreshes the tokens, until `refresh_until`. */
  @Column('uuid', { name: 'refresh_lease', nullable: true })
  refreshLease!: string | null;

  @Column('timestamptz', { name: 'refresh_until', nullable: true })
  refreshUntil!: Date | null;

  /** Attempt in progress: a requested consent, or a revocation. */
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId!: string | null;

  /** SHA-256 of the OAuth state as 64 hexadecimal digits; null once it was returned. */
  @Index('connection_attempt_state_key', { unique: true })
  @Column('text', { name: 'attempt_state', nullable: true })
  attemptState!: string | null;

  /** Sealed JSON for the worker that continues the attempt. */
  @Column('text', { name: 'attempt_sealed', nullable: true })
  attemptSealed!: string | null;

  /** Failure of the attempt, in this service's words. */
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
