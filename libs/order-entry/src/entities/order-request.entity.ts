import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { Customer } from './customer.entity.js';

/** `draft`: written by an agent, waiting for a person. */
export type OrderRequestStatus = 'draft';

/** An order as an agent drafted it; the row appears in the settling transaction of its execution (S4-20). */
@Entity('order_request')
@Index('ix_order_request_execution', ['tenantId', 'executionId'])
@Index('ix_order_request_list', ['tenantId', 'id'])
@Index('ix_order_request_customer', ['tenantId', 'customerId'])
export class OrderRequest {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_order_request',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  @Column({ name: 'execution_id', type: 'uuid' })
  executionId!: string;

  /** Set when the name belongs to exactly one known customer. */
  @Column({ name: 'customer_id', type: 'int', nullable: true })
  customerId!: number | null;

  /** As the order text gave it. */
  @Column({ name: 'customer_name', type: 'text', nullable: true })
  customerName!: string | null;

  @Column({ name: 'payload', type: 'jsonb' })
  payload!: OrderEntryPayload;

  @Column({ name: 'status', type: 'text', default: 'draft' })
  status!: OrderRequestStatus;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @ManyToOne(() => Customer, { nullable: true })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenantId',
      foreignKeyConstraintName: 'fk_order_request_customer',
    },
    {
      name: 'customer_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_order_request_customer',
    },
  ])
  customer!: Relation<Customer> | null;
}
