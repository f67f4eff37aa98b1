import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { MemoryView, VersionedMemory } from '#libs/executions';
import type { ExpectedVersions } from '#libs/persistence';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { MemoriesService } from './memories.service.js';
import {
  ForgetQuery,
  MemoryDto,
  MemoryIdParams,
  MemoryListQuery,
  MemoryPageDto,
  MemoryPatchDto,
  NewMemoryDto,
} from './memories.dto.js';

/** Manages memories: facts about executors that agents read in their prompts. */
@ApiTags('memories')
@Controller('api/memories')
export class MemoriesController {
  constructor(private readonly memories: MemoriesService) {}

  @Get()
  @Access('memories:read')
  @Operation('listMemories', 'List memories', 'Ordered by ascending id.')
  @Answers(200, MemoryPageDto, 'One page of memories.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: MemoryListQuery): Promise<Page<MemoryView>> {
    return this.memories.list(tenantId, query);
  }

  @Post()
  @Access('memories:write')
  @Operation(
    'createMemory',
    'Write a memory',
    'Agents with memory read it from the next execution for this executor on. Only people can change a memory that a person wrote.',
  )
  @AnswersMadeVersioned(MemoryDto, '/api/memories/', 'The new memory.')
  @ProblemsOfBody(409, 422)
  create(@Tenant() tenantId: string, @Body() given: NewMemoryDto): Promise<VersionedMemory> {
    return this.memories.create(tenantId, given);
  }

  @Delete()
  @Access('memories:write')
  @HttpCode(204)
  @Operation(
    'forgetExecutor',
    'Forget an executor',
    'Deletes all memories of the executor. No memory is extracted from executions accepted before, running ones included. Sessions keep their messages until they are deleted.',
  )
  @ApiResponse({ status: 204, description: 'All memories of the executor are deleted.' })
  @Problems(400)
  forget(@Tenant() tenantId: string, @Query() { executor_id: executorId }: ForgetQuery): Promise<void> {
    return this.memories.forget(tenantId, executorId);
  }

  @Get(':id')
  @Access('memories:read')
  @Operation(
    'getMemory',
    'Read a memory',
    'The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, MemoryDto, 'The memory.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: MemoryIdParams): Promise<VersionedMemory> {
    return this.memories.find(tenantId, id);
  }

  @Patch(':id')
  @Access('memories:write')
  @Operation(
    'updateMemory',
    'Change a memory',
    'Afterwards only people can change the memory, and its earlier text is not extracted again.',
  )
  @ChangesIfMatch()
  @AnswersVersioned(200, MemoryDto, 'The memory as it is now.')
  @ProblemsOfBody(404, 409)
  change(
    @Tenant() tenantId: string,
    @Param() { id }: MemoryIdParams,
    @Body() given: MemoryPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<VersionedMemory> {
    return this.memories.change(tenantId, id, given, expected);
  }

  @Delete(':id')
  @Access('memories:write')
  @HttpCode(204)
  @Operation('deleteMemory', 'Delete a memory', 'The deleted text is not extracted again.')
  @ApiResponse({ status: 204, description: 'The memory is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: MemoryIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.memories.delete(tenantId, id, expected);
  }
}
