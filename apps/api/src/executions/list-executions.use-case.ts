import { Injectable } from '@nestjs/common';
import type { ExecutionSummary } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { ExecutionListQuery } from './execution.dto.js';

/** Executions of the tenant, newest first, without their answers. */
@Injectable()
export class ListExecutions {
  constructor(private readonly executions: ExecutionStore) {}

  async execute(tenantId: string, query: ExecutionListQuery): Promise<Page<ExecutionSummary>> {
    const { limit, cursor: beforeId, status, agent_id: agentId, session_uuid: sessionId } = query;
    const rows = await this.executions.list(tenantId, {
      status,
      agentId,
      sessionId,
      beforeId,
      limit,
    });
    return toPage(rows, byId);
  }
}
