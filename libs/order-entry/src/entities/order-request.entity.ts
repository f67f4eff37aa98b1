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
import type { SendFaultCode } from '../sending/send-fault.js';
import { Customer } from './customer.entity.js';

/**
 * `draft`: written by an agent, waiting for a person. `sending`: a task is sending it. `sent`: the ordering service accepted
 * it. `failed`: sending was given up; it can be sent again.
 */
export const ORDER_REQUEST_STATUSES = ['draft', 'sending', 'sent', 'failed'] as const;
export type OrderRequestStatus = (typeof ORDER_REQUEST_STATUSES)[number];

/** Failure of the last try to send. */
export interface SendFailure {
  readonly code: SendFaultCode;
  /** HTTP status of the answer; null without one. */
  readonly status: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** An order drafted by an agent; the settling transaction of its execution inserts the row (S4-20). */
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

  /** Set when the name matches exactly one customer. */
  @Column({ name: 'customer_id', type: 'int', nullable: true })
  customerId!: number | null;

  /** Customer name as the order text has it. */
  @Column({ name: 'customer_name', type: 'text', nullable: true })
  customerName!: string | null;

  @Column({ name: 'payload', type: 'jsonb' })
  payload!: OrderEntryPayload;

  @Column({ name: 'status', type: 'text', default: 'draft' })
  status!: OrderRequestStatus;

  /** Version number, incremented by each change; the `ETag` contains it. */
  @Column({ name: 'version', type: 'integer', default: 1 })
  version!: number;

  /** Id of the last task to send the order. */
  @Column({ name: 'sending_id', type: 'uuid', nullable: true })
  sendingId!: string | null;

  /** Version that a client requested to be sent. */
  @Column({ name: 'sent_version', type: 'integer', nullable: true })
  sentVersion!: number | null;

  /** URL that the order was sent to. */
  @Column({ name: 'sent_to', type: 'text', nullable: true })
  sentTo!: string | null;

  /** Tries of the current task with a recorded result. */
  @Column({ name: 'tries', type: 'integer', default: 0 })
  tries!: number;

  /** True where the ordering service may have the order but no answer confirms it. */
  @Column({ name: 'is_outcome_unknown', type: 'boolean', default: false })
  isOutcomeUnknown!: boolean;

  @Column({ name: 'failure', type: 'jsonb', nullable: true })
  failure!: SendFailure | null;

  /** Order number assigned by the ordering service. */
  @Column({ name: 'order_number', type: 'text', nullable: true })
  orderNumber!: string | null;

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

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
