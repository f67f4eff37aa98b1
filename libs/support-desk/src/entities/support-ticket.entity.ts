import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A ticket for people of the support team; the row appears in the settling transaction of its execution (S4-20). */
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

  /** What it is about, where that is an order. */
  @Column({ name: 'order_number', type: 'text', nullable: true })
  orderNumber!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
