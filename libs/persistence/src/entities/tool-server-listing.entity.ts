import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { ToolServerEntity } from './tool-server.entity.js';

/** Tools that a server offered at its last probe, for people and for editing agents. Runs do not use it. */
@Entity('tool_server_listing')
@Index('tool_server_listing_tenant_idx', ['tenantId'])
export class ToolServerListingEntity {
  @ForeignKey(() => ToolServerEntity, { onDelete: 'CASCADE', name: 'tool_server_listing_server_fkey' })
  @PrimaryColumn('uuid', { name: 'server_id', primaryKeyConstraintName: 'tool_server_listing_pkey' })
  serverId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Version of the server at that time. */
  @Column('integer', { name: 'server_version' })
  serverVersion!: number;

  @Column('jsonb')
  tools!: JsonObject[];

  @Column('timestamptz', { name: 'listed_at', default: () => 'now()' })
  listedAt!: Date;
}
