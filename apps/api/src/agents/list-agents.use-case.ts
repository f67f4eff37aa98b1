import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView } from '#libs/persistence';
import { MAX_PAGE } from '../http/request-values.js';
import { toPage, type Page } from '../http/page.js';
import type { AgentListQuery } from './agent.dto.js';

/** The agents of a tenant: all of them, or one page when the query asks for paging (S3-17). */
@Injectable()
export class ListAgents {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, query: AgentListQuery): Promise<AgentView[] | Page<AgentView>> {
    const { limit = MAX_PAGE, cursor: afterId, include_inactive: includeInactive } = query;
    const isPaged = query.limit !== undefined || afterId !== undefined;
    if (!isPaged) return this.agents.list(tenantId, { includeInactive });
    return toPage(await this.agents.list(tenantId, { includeInactive, afterId, limit: limit + 1 }), limit);
  }
}
