import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { OrderRequest } from './order-request.entity.js';

/**
 * `changed`, `send_asked`: actions by API key. `sent`, `send_failed`: results of sending. `found_sent`, `found_not_sent`:
 * outcomes that a person reports after a lost answer.
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

/** Audit row of an action on an order request; append-only. */
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

  /** Version that the action created. */
  @Column({ name: 'version', type: 'integer' })
  version!: number;

  /** Public id of the API key; null with `AUTH=off`, and for results that the service records. */
  @Column({ name: 'key_id', type: 'text', nullable: true })
  keyId!: string | null;

  /** Order before the change; null if lines and confirmation are unchanged. */
  @Column({ name: 'before', type: 'jsonb', nullable: true })
  before!: OrderEntryPayload | null;

  /** Order after the change; null if lines and confirmation are unchanged. */
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
