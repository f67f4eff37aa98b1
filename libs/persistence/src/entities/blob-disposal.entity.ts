import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Unreferenced blob that is removed when due. Written before the blob, so that the blob of a dead writer is found;
 * deleted when a transaction references the blob, rewritten when the last reference is dropped.
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
