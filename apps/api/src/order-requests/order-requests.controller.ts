import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OrderRequestView } from '#libs/order-entry';
import { Answers, Problems } from '../http/describe-answers.js';
import { Tenant } from '../http/principal.js';
import { Access } from '../http/scopes.js';
import { FindOrderRequest } from './find-order-request.use-case.js';
import { OrderRequestDto, OrderRequestIdParams } from './order-request.dto.js';

/** What the order-entry agents have saved. */
@ApiTags('order entry')
@Controller('api/order-requests')
@Access('executions:read')
export class OrderRequestsController {
  constructor(private readonly findOrderRequest: FindOrderRequest) {}

  @Get(':id')
  @ApiOperation({ summary: 'Read an order request' })
  @Answers(200, OrderRequestDto, 'The order request with the catalogue’s names.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: OrderRequestIdParams): Promise<OrderRequestView> {
    return this.findOrderRequest.execute(tenantId, id);
  }
}
