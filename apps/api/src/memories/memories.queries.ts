import { Injectable } from '@nestjs/common';
import type { MemoryView, VersionedMemory } from '#libs/executions';
import { PostgresMemories } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { MemoryListQuery } from './memories.dto.js';
import { memoryNotFound } from './memories.faults.js';

/** Reading what is remembered of the executors of a tenant. */
@Injectable()
export class MemoriesQueries {
  constructor(private readonly memories: PostgresMemories) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    { limit, cursor: afterId, executor_id: executorId, agent_id: agentId }: MemoryListQuery,
  ): Promise<Page<MemoryView>> {
    return toPage(await this.memories.list(tenantId, { afterId, limit, executorId, agentId }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<VersionedMemory> {
    const memory = await this.memories.find(tenantId, id);
    if (memory === null) throw memoryNotFound();
    return memory;
  }
}
