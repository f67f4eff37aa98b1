import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ToolServerEntity } from './tool-server.entity.js';

/**
 * What a tool server's authorization server has given the tenant itself, sealed. `token`: an access token; kept for as
 * long as it is good, and only a copy: without it another one is fetched.
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

  /** Of the server as it was: for another one it is of no use. */
  @Column('integer', { name: 'server_version' })
  serverVersion!: number;

  @Column('text')
  sealed!: string;

  @Column('timestamptz', { name: 'issued_at' })
  issuedAt!: Date;

  /** Null where it does not end by itself. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
