import { Column, CreateDateColumn, UpdateDateColumn } from 'typeorm';

/** Columns of rows that clients create and change. */
export abstract class VersionedRow {
  /** Number of the latest change; used as `ETag`. */
  @Column('integer', { default: 1 })
  version!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
