import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { LeasedRow } from './leased-row.js';

/**
 * Tokens of a user whose tool server was deleted, until they are revoked where they were issued, or that is given up.
 * Written by the transaction that deletes the server.
 */
@Entity('token_revocation')
@Index('token_revocation_due_idx', ['dueAt'])
export class TokenRevocationEntity extends LeasedRow {
  /** Of the connection that was: what is sealed is sealed to it. */
  @PrimaryColumn('uuid', { name: 'connection_id', primaryKeyConstraintName: 'token_revocation_pkey' })
  connectionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Of the server that was, for the same reason. */
  @Column('uuid', { name: 'server_id' })
  serverId!: string;

  /** `auth` of its configuration, but for secrets; null where it had none by then. */
  @Column('jsonb', { nullable: true })
  auth!: object | null;

  /** The secrets of its configuration: a client that signs has to sign here too. */
  @Column('text', { name: 'literals_sealed', nullable: true })
  literalsSealed!: string | null;

  @Column('text', { name: 'grant_sealed' })
  grantSealed!: string;

  /** How often the authorization server was, or was about to be, asked. */
  @Column('integer', { default: 0 })
  tries!: number;
}
