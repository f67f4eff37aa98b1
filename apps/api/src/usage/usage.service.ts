import { Injectable } from '@nestjs/common';
import { usageGrouping, UsageStore, type UsageGroup, type UsageSum } from '#libs/persistence';
import { toPage, type Page } from '../http/page.js';
import { holdsScope, type Principal } from '../http/access.js';
import { lacksScope } from '../http/request-authenticator.js';
import type { UsageQuery, UsageSumView } from './usage.dto.js';

export interface UsagePage extends Page<UsageSumView> {
  readonly group_by: UsageGroup;
  readonly from: string;
  readonly to: string;
}

/** Sums usage and cost of model calls. */
@Injectable()
export class UsageService {
  constructor(private readonly usage: UsageStore) {}

  /** Sums for the caller's tenant; grouped by tenant, for every tenant, which requires the scope `admin`. */
  async sum(principal: Principal, query: UsageQuery): Promise<UsagePage> {
    const {
      group_by: groupBy,
      from,
      to,
      agent_id: agentId,
      execution_id: executionId,
      executor_id: executorId,
      metadata,
      cursor,
      limit,
    } = query;
    const isOfAll = usageGrouping(groupBy).key === 'tenant';
    if (isOfAll && !holdsScope(principal, 'admin')) throw lacksScope('admin');
    const tenantId = isOfAll ? null : principal.tenantId;
    const filter = { groupBy, from, to, agentId, executionId, executorId, metadata, after: cursor, limit };
    const page = toPage(await this.usage.sum(tenantId, filter), (sum) => sum.key);
    return {
      ...page,
      data: page.data.map(toView),
      group_by: groupBy,
      from: from.toISOString(),
      to: to.toISOString(),
    };
  }
}

function toView({ key: _key, group, ...sums }: UsageSum): UsageSumView {
  const { model, agent, day, hour, tenant, scope, executor, metadata } = group;
  return {
    model: model ?? null,
    agent_id: agent ?? null,
    day: day ?? null,
    hour: hour ?? null,
    tenant_id: tenant ?? null,
    scope: scope ?? null,
    executor_id: executor ?? null,
    metadata_value: metadata ?? null,
    ...sums,
  };
}
