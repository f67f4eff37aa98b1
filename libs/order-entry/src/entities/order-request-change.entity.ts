import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { OrderRequest } from './order-request.entity.js';

/**
 * `changed`, `send_asked`: by whoever holds a key. `sent`, `send_failed`: what came of it. `found_sent`,
 * `found_not_sent`: what somebody has found out where no answer came.
 */
export const ORDER_REQUEST_ACTIONS = [
  'changed',
  'send_asked',
  'sent',
  'send_failed',
  'found_sent',
  'found_not_sent',
] as const;
export type OrderRequestAction = (typeof ORDER_REQUEST_ACTIONS)[number];

/** Who did what to an order request, and when; append-only. */
@Entity('order_request_change')
@Index('ix_order_request_change_list', ['tenantId', 'orderRequestId', 'id'])
export class OrderRequestChange {
  @PrimaryGeneratedColumn('identity', {
    type: 'int',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_order_request_change',
  })
  id!: number;

  @Column({ name: 'tenant_id', type: 'text' })
  tenantId!: string;

  @Column({ name: 'order_request_id', type: 'int' })
  orderRequestId!: number;

  @Column({ name: 'action', type: 'text' })
  action!: OrderRequestAction;

  /** The version that came of it. */
  @Column({ name: 'version', type: 'integer' })
  version!: number;

  /** The public part of the API key; null where no key is asked for, and for what the service found out itself. */
  @Column({ name: 'key_id', type: 'text', nullable: true })
  keyId!: string | null;

  /** What it was; null where lines and confirmation stayed. */
  @Column({ name: 'before', type: 'jsonb', nullable: true })
  before!: OrderEntryPayload | null;

  /** What it became; null for the same reason. */
  @Column({ name: 'after', type: 'jsonb', nullable: true })
  after!: OrderEntryPayload | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @ManyToOne(() => OrderRequest, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'order_request_id',
    referencedColumnName: 'id',
    foreignKeyConstraintName: 'fk_order_request_change_order_request',
  })
  orderRequest!: Relation<OrderRequest>;
}
