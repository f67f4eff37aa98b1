import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Caller, Tenant, type Principal } from '../http/access.js';
import { Answers, Problems, ProblemsOfBody } from '../http/describe-answers.js';
import { Operation } from '../http/operation.js';
import type { Page } from '../http/page.js';
import { ToolServerIdParams } from '../mcp-servers/mcp-servers.dto.js';
import { ChangesNothing } from '../idempotency/route-keys.js';
import {
  ProbeRequestDto,
  ToolListQuery,
  ToolNameParams,
  ToolPageDto,
  ToolServerProbeDto,
  ToolTrialDto,
  TryRequestDto,
  type OfferedTool,
} from './tools.dto.js';
import { ToolsService } from './tools.service.js';
import { TryTools } from './try-tools.js';

/** Lists the tools that agents may use, and tries them. */
@ApiTags('tools')
@Controller('api')
export class ToolsController {
  constructor(
    private readonly tools: ToolsService,
    private readonly tryTools: TryTools,
  ) {}

  @Get('tools')
  @Access('agents:read')
  @Operation(
    'listTools',
    'List tools',
    'Ordered by name: built-in tools, and tools of active tool servers as last probed.',
  )
  @Answers(200, ToolPageDto, 'One page of tools.')
  @Problems(400)
  list(@Tenant() tenantId: string, @Query() query: ToolListQuery): Promise<Page<OfferedTool>> {
    return this.tools.list(tenantId, query);
  }

  @Post('tools/:name/try')
  @Access('tools:try')
  @Operation(
    'tryTool',
    'Try a tool',
    'A worker calls the tool for real, outside of any execution: its effects happen. Only tools of active tool servers can be tried. Each trial is recorded with its caller.',
  )
  @Answers(200, ToolTrialDto, 'The result of the call.')
  @ProblemsOfBody(404, 422)
  try(
    @Caller() caller: Principal,
    @Param() { name }: ToolNameParams,
    @Body() { input, ...brought }: TryRequestDto,
  ): Promise<ToolTrialDto> {
    return this.tryTools.call(caller, name, input, brought);
  }

  @Post('mcp-servers/:id/probe')
  @ChangesNothing('It looks at the server anew each time.')
  @Access('agents:write')
  @Operation(
    'probeToolServer',
    'Probe a tool server',
    'A worker connects to the server and lists its tools, which `/api/tools/` shows from then on. A server that cannot be used is an answer too: 200 with the reason.',
  )
  @Answers(200, ToolServerProbeDto, 'The result of the probe.')
  @ProblemsOfBody(404, 422)
  probe(
    @Caller() caller: Principal,
    @Param() { id }: ToolServerIdParams,
    @Body() brought: ProbeRequestDto,
  ): Promise<ToolServerProbeDto> {
    return this.tryTools.probe(caller, id, brought);
  }
}
