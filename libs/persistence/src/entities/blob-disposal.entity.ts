import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Unreferenced blob that is removed when due. The row is written before the blob, so that the blob of a dead writer is
 * found; it is deleted by the transaction that references the blob, and rewritten by the one that drops the last
 * reference.
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
