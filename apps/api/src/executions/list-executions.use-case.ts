import { Injectable } from '@nestjs/common';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { toPage, type Page } from '../http/page.js';
import type { ExecutionListQuery } from './execution.dto.js';

/** Executions of the tenant, newest first. */
@Injectable()
export class ListExecutions {
  constructor(private readonly executions: ExecutionStore) {}

  async execute(tenantId: string, query: ExecutionListQuery): Promise<Page<ExecutionView>> {
    const { limit, cursor: beforeId, status, agent_id: agentId, session_uuid: sessionId } = query;
    const rows = await this.executions.list(tenantId, {
      status,
      agentId,
      sessionId,
      beforeId,
      limit: limit + 1,
    });
    return toPage(rows, limit);
  }
}
