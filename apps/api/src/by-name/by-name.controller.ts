import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ManagedResourceStore,
  type AgentView,
  type DatasourceView,
  type LlmView,
  type ManagedResourceView,
  type SkillView,
  type ToolServerView,
  type WebhookEndpointView,
} from '#libs/persistence';
import { requireUsecaseType } from '../agents/agents.checks.js';
import { Access, Tenant } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { Operation } from '../http/operation.js';
import { toPage, type Page } from '../http/page.js';
import { AgentsByName } from './agents-by-name.js';
import { ApplyByName, type Applied, type ApplyCommand } from './apply-by-name.js';
import {
  AgentNameParams,
  AppliedAgentDto,
  AppliedDatasourceDto,
  AppliedLlmDto,
  AppliedSkillDto,
  AppliedToolServerDto,
  AppliedWebhookEndpointDto,
  DatasourceNameParams,
  LlmNameParams,
  ManagedResourcePageDto,
  ManagedResourceQuery,
  NamedAgentFieldsDto,
  NamedDatasourceFieldsDto,
  NamedLlmFieldsDto,
  NamedSkillFieldsDto,
  NamedToolServerFieldsDto,
  NamedWebhookEndpointFieldsDto,
  SkillNameParams,
  ToolServerNameParams,
  WebhookEndpointNameParams,
} from './by-name.dto.js';
import { DatasourcesByName } from './datasources-by-name.js';
import { LlmsByName } from './llms-by-name.js';
import { SkillsByName } from './skills-by-name.js';
import { ToolServersByName } from './tool-servers-by-name.js';
import { WebhookEndpointsByName } from './webhook-endpoints-by-name.js';

const SAME =
  'Creates the resource, or replaces it; omitted fields get their defaults. Repeating the request changes nothing.';
const ANSWER = 'What happened, or with `dry_run` would happen.';

/** Fields beside those of the resource. */
interface Given {
  readonly managed_by?: string | undefined;
  readonly dry_run: boolean;
}

function commandOf<Fields extends { readonly name: string }>(
  tenantId: string,
  name: Fields['name'],
  { managed_by: managedBy, dry_run: isDryRun, ...rest }: Omit<Fields, 'name'> & Given,
): ApplyCommand<Fields> {
  return { tenantId, name, fields: { ...rest, name } as unknown as Fields, managedBy, isDryRun };
}

/** Applies agents by name. */
@ApiTags('agents')
@Controller('api/agents/by-name')
@Access('agents:write')
export class AgentByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: AgentsByName,
  ) {}

  @Put(':name')
  @Operation('applyAgent', 'Apply an agent by name', `${SAME} An inactive agent of this name becomes active.`)
  @Answers(200, AppliedAgentDto, ANSWER)
  @ProblemsOfBody(409, 412, 422)
  applyAgent(
    @Tenant() tenantId: string,
    @Param() { name }: AgentNameParams,
    @Body() { usecase_type: type, ...fields }: NamedAgentFieldsDto,
  ): Promise<Applied<AgentView>> {
    return this.applyByName.execute(
      this.target,
      commandOf(tenantId, name, { ...fields, usecase_type: requireUsecaseType(type) }),
    );
  }
}

/** Applies model configurations by name. */
@ApiTags('model configurations')
@Controller('api/llms/by-name')
@Access('agents:write')
export class LlmByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: LlmsByName,
  ) {}

  @Put(':name')
  @Operation(
    'applyLlm',
    'Apply a model configuration by name',
    `${SAME} The stored key stays unless another one is given.`,
  )
  @Answers(200, AppliedLlmDto, ANSWER)
  @ProblemsOfBody(409, 412, 422)
  applyLlm(
    @Tenant() tenantId: string,
    @Param() { name }: LlmNameParams,
    @Body() fields: NamedLlmFieldsDto,
  ): Promise<Applied<LlmView>> {
    return this.applyByName.execute(this.target, commandOf(tenantId, name, fields));
  }
}

/** Applies skills by name. */
@ApiTags('skills')
@Controller('api/skills/by-name')
@Access('agents:write')
export class SkillByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: SkillsByName,
  ) {}

  @Put(':name')
  @Operation('applySkill', 'Apply a skill by name', SAME)
  @Answers(200, AppliedSkillDto, ANSWER)
  @ProblemsOfBody(412, 422)
  applySkill(
    @Tenant() tenantId: string,
    @Param() { name }: SkillNameParams,
    @Body() fields: NamedSkillFieldsDto,
  ): Promise<Applied<SkillView>> {
    return this.applyByName.execute(this.target, commandOf(tenantId, name, fields));
  }
}

/** Applies tool servers by name. */
@ApiTags('tool servers')
@Controller('api/mcp-servers/by-name')
@Access('agents:write')
export class ToolServerByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: ToolServersByName,
  ) {}

  @Put(':name')
  @Operation(
    'applyToolServer',
    'Apply a tool server by name',
    `${SAME} Null in a template keeps its stored text.`,
  )
  @Answers(200, AppliedToolServerDto, ANSWER)
  @ProblemsOfBody(412, 422)
  applyToolServer(
    @Tenant() tenantId: string,
    @Param() { name }: ToolServerNameParams,
    @Body() fields: NamedToolServerFieldsDto,
  ): Promise<Applied<ToolServerView>> {
    return this.applyByName.execute(this.target, commandOf(tenantId, name, fields));
  }
}

/** Applies datasources by name. */
@ApiTags('datasources')
@Controller('api/datasources/by-name')
@Access('agents:write')
export class DatasourceByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: DatasourcesByName,
  ) {}

  @Put(':name')
  @Operation(
    'applyDatasource',
    'Apply a datasource by name',
    `${SAME} The embedding model and its dimensions cannot change while there are documents.`,
  )
  @Answers(200, AppliedDatasourceDto, ANSWER)
  @ProblemsOfBody(409, 412)
  applyDatasource(
    @Tenant() tenantId: string,
    @Param() { name }: DatasourceNameParams,
    @Body() fields: NamedDatasourceFieldsDto,
  ): Promise<Applied<DatasourceView>> {
    return this.applyByName.execute(this.target, commandOf(tenantId, name, fields));
  }
}

/** Applies webhook endpoints by name. */
@ApiTags('webhook endpoints')
@Controller('api/webhook-endpoints/by-name')
@Access('webhooks:write')
export class WebhookEndpointByNameController {
  constructor(
    private readonly applyByName: ApplyByName,
    private readonly target: WebhookEndpointsByName,
  ) {}

  @Put(':name')
  @Operation(
    'applyWebhookEndpoint',
    'Apply a webhook endpoint by name',
    `${SAME} The stored secret stays unless another one is given.`,
  )
  @Answers(200, AppliedWebhookEndpointDto, ANSWER)
  @ProblemsOfBody(412, 422)
  applyWebhookEndpoint(
    @Tenant() tenantId: string,
    @Param() { name }: WebhookEndpointNameParams,
    @Body() fields: NamedWebhookEndpointFieldsDto,
  ): Promise<Applied<WebhookEndpointView>> {
    return this.applyByName.execute(this.target, commandOf(tenantId, name, fields));
  }
}

/** Lists what sets of files have applied. */
@ApiTags('managed resources')
@Controller('api/managed-resources')
@Access('agents:read')
export class ManagedResourcesController {
  constructor(private readonly managed: ManagedResourceStore) {}

  @Get()
  @Operation(
    'listManagedResources',
    'List the resources of a set of files',
    'Resources that were applied by name with this `managed_by`, by kind and id; deleted ones are among them.',
  )
  @Answers(200, ManagedResourcePageDto, 'One page of resources.')
  @Problems(400)
  async list(
    @Tenant() tenantId: string,
    @Query() { managed_by: managedBy, cursor: after, limit }: ManagedResourceQuery,
  ): Promise<Page<ManagedResourceView>> {
    const rows = await this.managed.list(tenantId, { managedBy, after, limit });
    return toPage(rows, ({ kind, id }) => `${kind}:${id}`);
  }
}
