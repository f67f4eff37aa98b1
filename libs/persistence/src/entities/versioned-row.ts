import { Column, CreateDateColumn, UpdateDateColumn } from 'typeorm';

/** What every row has that clients make and change. */
export abstract class VersionedRow {
  /** Counts the changes; what an `ETag` holds. */
  @Column('integer', { default: 1 })
  version!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
