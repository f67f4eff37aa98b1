import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A blob that nobody refers to, to be removed when it is due: written before a blob is, so that one whose writer dies is
 * found, gone with the transaction that refers to it, and written again by the one that ceases to.
 */
@Entity('blob_disposal')
export class BlobDisposalEntity {
  @PrimaryColumn('text', { name: 'blob_key', primaryKeyConstraintName: 'blob_disposal_pkey' })
  blobKey!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Index('blob_disposal_due_idx')
  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;
}
