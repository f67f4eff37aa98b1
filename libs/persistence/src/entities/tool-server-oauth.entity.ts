import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ToolServerEntity } from './tool-server.entity.js';

/**
 * Sealed data from a tool server's authorization server for the tenant itself: `token` is a cached access token, `client`
 * a registration. A missing token is fetched again.
 */
@Entity('tool_server_oauth')
@Check('tool_server_oauth_kind_check', `"kind" IN ('token', 'client')`)
export class ToolServerOAuthEntity {
  @ForeignKey(() => ToolServerEntity, { onDelete: 'CASCADE', name: 'tool_server_oauth_server_fkey' })
  @PrimaryColumn('uuid', { name: 'server_id', primaryKeyConstraintName: 'tool_server_oauth_pkey' })
  serverId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'tool_server_oauth_pkey' })
  kind!: 'token' | 'client';

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Version of the server; the row is invalid for other versions. */
  @Column('integer', { name: 'server_version' })
  serverVersion!: number;

  @Column('text')
  sealed!: string;

  @Column('timestamptz', { name: 'issued_at' })
  issuedAt!: Date;

  /** Null if it does not expire. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
