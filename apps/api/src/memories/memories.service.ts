import { Injectable } from '@nestjs/common';
import type { MemoryView, VersionedMemory } from '#libs/executions';
import { PostgresMemories, type ExpectedVersions } from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import type { MemoryListQuery, MemoryPatchDto, NewMemoryDto } from './memories.dto.js';
import { memoryNotFound, memoryExists, tooManyMemories } from './memories.errors.js';

/** Lists and changes the memories about executors of a tenant. */
@Injectable()
export class MemoriesService {
  constructor(private readonly memories: PostgresMemories) {}

  /** Sorted by ascending id. */
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

  /** Throws `MEMORY_EXISTS`, `TOO_MANY_MEMORIES`. */
  async create(tenantId: string, { executor_id: executorId, text }: NewMemoryDto): Promise<VersionedMemory> {
    const creation = await this.memories.create(tenantId, executorId, text);
    switch (creation.kind) {
      case 'created':
        return creation;
      case 'exists':
        throw memoryExists();
      case 'too_many':
        throw tooManyMemories();
      default:
        return assertNever(creation);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, `MEMORY_EXISTS`. */
  async change(
    tenantId: string,
    id: number,
    { text }: MemoryPatchDto,
    expected: ExpectedVersions,
  ): Promise<VersionedMemory> {
    const change = await this.memories.change(tenantId, id, text, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw memoryNotFound();
      case 'other_version':
        throw otherVersion();
      case 'exists':
        throw memoryExists();
      default:
        return assertNever(change);
    }
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.memories.delete(tenantId, id, expected);
    if (deletion === 'not_found') throw memoryNotFound();
    if (deletion === 'other_version') throw otherVersion();
  }

  /** Deletes all memories about an executor; memory extraction in progress cannot restore them. */
  async forget(tenantId: string, executorId: string): Promise<void> {
    await this.memories.forget(tenantId, executorId);
  }
}
