import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '#libs/kernel';
import { readOrderRequest, type OrderRequestView } from '#libs/order-entry';

/** One order request of the tenant. Throws `NOT_FOUND`. */
@Injectable()
export class FindOrderRequest {
  constructor(private readonly dataSource: DataSource) {}

  async execute(tenantId: string, id: number): Promise<OrderRequestView> {
    const order = await readOrderRequest(this.dataSource.manager, tenantId, id);
    if (order === null)
      throw new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Order request not found' });
    return order;
  }
}
