import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OverviewStore } from '#libs/persistence';
import { Access, Caller, holdsScope, type Principal } from '../http/access.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Operation } from '../http/operation.js';
import { OverviewDto, OverviewQuery, MAX_TENANTS, WINDOWS, type OverviewAnswer } from './overview.dto.js';
import { summarizeOverview } from './summarize-overview.js';

/** Sums what becomes of the executions of a tenant. */
@ApiTags('overview')
@Controller('api/overview')
@Access('executions:read')
export class OverviewController {
  constructor(private readonly overviews: OverviewStore) {}

  @Get()
  @Operation(
    'getOverview',
    'Read the overview',
    'Unsettled executions now, and for the last hour, day or week the settled ones: count, duration, errors, tokens and cost. Only of the tenant of the request; for keys with the scope `admin` also the tenants that wait longest.',
  )
  @Answers(200, OverviewDto, 'The sums.')
  @Problems(400)
  async read(@Caller() principal: Principal, @Query() { window }: OverviewQuery): Promise<OverviewAnswer> {
    const { tenantId } = principal;
    const read = await this.overviews.readUnderWay(tenantId, WINDOWS[window]);
    const { from, to, oldest_wait_seconds, expired_approvals, ...under_way } = read;
    const waiting_tenants = holdsScope(principal, 'admin')
      ? await this.overviews.readWaitingTenants(MAX_TENANTS)
      : null;
    const sums = summarizeOverview(await this.overviews.readSettled(tenantId, from, WINDOWS[window]));
    const count = Object.values(sums.settled).reduce((sum, each) => sum + each, 0);
    return {
      ...{
        window,
        from: from.toISOString(),
        to: to.toISOString(),
        under_way,
        oldest_wait_seconds,
        expired_approvals,
        waiting_tenants,
      },
      settled_per_minute: Math.round((count / ((to.getTime() - from.getTime()) / 60_000)) * 100) / 100,
      ...sums,
    };
  }
}
