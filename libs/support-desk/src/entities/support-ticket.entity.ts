import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A ticket for the support team; the settling transaction of its execution inserts the row (S4-20). */
@Entity('support_ticket')
@Index('ix_support_ticket_list', ['tenantId', 'id'])
export class SupportTicket {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_support_ticket',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  @Column({ name: 'execution_id', type: 'uuid' })
  executionId!: string;

  @Column({ name: 'subject', type: 'text' })
  subject!: string;

  /** Number of the order that the ticket concerns, if any. */
  @Column({ name: 'order_number', type: 'text', nullable: true })
  orderNumber!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
