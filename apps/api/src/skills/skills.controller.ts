import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions, SkillSummary, SkillView, Versioned } from '#libs/persistence';
import { Operation } from '../http/operation.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { AnswersVersioned, ChangesIfMatch, ExpectedVersion } from '../http/entity-tag.js';
import type { Page } from '../http/page.js';
import { AnswersMadeVersioned } from '../http/location.js';
import { Access, Tenant } from '../http/access.js';
import { SkillsService } from './skills.service.js';
import {
  SkillDto,
  SkillFieldsDto,
  SkillIdParams,
  SkillListQuery,
  SkillPageDto,
  SkillPatchDto,
} from './skills.dto.js';

/** Named instruction documents that every agent of the tenant can read (S4-7). */
@ApiTags('skills')
@Controller('api/skills')
export class SkillsController {
  constructor(private readonly skills: SkillsService) {}

  @Get()
  @Access('agents:read')
  @Operation(
    'listSkills',
    'List skills',
    'Ordered by ascending id, without contents; read a skill for its content.',
  )
  @Answers(200, SkillPageDto, 'One page of skills.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: SkillListQuery): Promise<Page<SkillSummary>> {
    return this.skills.list(tenantId, query);
  }

  @Post()
  @Access('agents:write')
  @Operation(
    'createSkill',
    'Create a skill',
    'A skill is a named document of instructions that the agents of the tenant can read while they work.',
  )
  @AnswersMadeVersioned(SkillDto, '/api/skills/', 'The new skill.')
  @ProblemsOfBody(409, 422)
  create(@Tenant() tenantId: string, @Body() fields: SkillFieldsDto): Promise<Versioned<SkillView>> {
    return this.skills.create(tenantId, fields);
  }

  @Get(':id')
  @Access('agents:read')
  @Operation(
    'getSkill',
    'Read a skill',
    'Includes the content. The `ETag` is its version; send it as `If-Match` to change only that version.',
  )
  @AnswersVersioned(200, SkillDto, 'The skill.')
  @Problems(400, 404)
  find(@Tenant() tenantId: string, @Param() { id }: SkillIdParams): Promise<Versioned<SkillView>> {
    return this.skills.find(tenantId, id);
  }

  @Put(':id')
  @Access('agents:write')
  @Operation('replaceSkill', 'Replace a skill', 'Omitted fields get their defaults.')
  @ChangesIfMatch()
  @AnswersVersioned(200, SkillDto, 'The skill as it is now.')
  @ProblemsOfBody(404, 409)
  replace(
    @Tenant() tenantId: string,
    @Param() { id }: SkillIdParams,
    @Body() fields: SkillFieldsDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<SkillView>> {
    return this.skills.change(tenantId, id, fields, expected);
  }

  @Patch(':id')
  @Access('agents:write')
  @Operation('updateSkill', 'Change some fields of a skill', 'Omitted fields stay as they are.')
  @ChangesIfMatch()
  @AnswersVersioned(200, SkillDto, 'The skill as it is now.')
  @ProblemsOfBody(404, 409)
  change(
    @Tenant() tenantId: string,
    @Param() { id }: SkillIdParams,
    @Body() fields: SkillPatchDto,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<Versioned<SkillView>> {
    return this.skills.change(tenantId, id, fields, expected);
  }

  @Delete(':id')
  @Access('agents:write')
  @HttpCode(204)
  @Operation('deleteSkill', 'Delete a skill', 'Agents can no longer read it.')
  @ApiResponse({ status: 204, description: 'The skill is gone.' })
  @ChangesIfMatch()
  @Problems(400, 404)
  remove(
    @Tenant() tenantId: string,
    @Param() { id }: SkillIdParams,
    @ExpectedVersion() expected: ExpectedVersions,
  ): Promise<void> {
    return this.skills.delete(tenantId, id, expected);
  }
}
