import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/** A key of one tenant. Only a hash of the secret is kept; it is a random 256-bit number, so a fast hash is enough. */
@Entity('api_key')
export class ApiKeyEntity {
  /** The public part of the key. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  /** SHA-256 of the secret part, hexadecimal. */
  @Column('text', { name: 'secret_sha256' })
  secretSha256!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
