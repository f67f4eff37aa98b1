import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import type { VersionedMemory } from '#libs/executions';
import { PostgresMemories, type ExpectedVersions } from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import type { MemoryPatchDto, NewMemoryDto } from './memories.dto.js';
import { memoryExists, memoryNotFound, tooManyMemories } from './memories.faults.js';

/** Writing what is remembered of the executors of a tenant. */
@Injectable()
export class MemoriesCommands {
  constructor(private readonly memories: PostgresMemories) {}

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

  /** Whatever is under way brings nothing of it back. */
  async forget(tenantId: string, executorId: string): Promise<void> {
    await this.memories.forget(tenantId, executorId);
  }
}
