import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView } from '#libs/persistence';
import { MAX_PAGE } from '../http/request-values.js';
import { byId, toPage, type Page } from '../http/page.js';
import type { AgentListQuery } from './agent.dto.js';

/** The most agents that are answered as a plain array. */
const MAX_ARRAY = 1_000;

export interface AgentList {
  /** Whether the client knows pages; else it gets what is in this one as a plain array. */
  readonly isPaged: boolean;
  readonly page: Page<AgentView>;
}

/** The agents of a tenant: as many as one answer holds, or one page when the query asks for paging (S3-17). */
@Injectable()
export class ListAgents {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, query: AgentListQuery): Promise<AgentList> {
    const { cursor: afterId, include_inactive: includeInactive } = query;
    const isPaged = query.limit !== undefined || afterId !== undefined;
    const limit = query.limit ?? (isPaged ? MAX_PAGE : MAX_ARRAY);
    return {
      isPaged,
      page: toPage(await this.agents.list(tenantId, { includeInactive, afterId, limit }), byId),
    };
  }
}
