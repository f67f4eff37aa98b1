import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { Answers, OpenProblems } from '../http/describe-answers.js';
import { Access } from '../http/scopes.js';
import { CheckReadiness } from './check-readiness.use-case.js';

/** What a probe gets; a failing one gets a problem. */
export class HealthDto extends createZodDto(z.object({ status: z.literal('ok') })) {}

/** For whoever runs the process. */
@ApiTags('health')
@Controller()
@Access('everybody')
export class HealthController {
  constructor(private readonly checkReadiness: CheckReadiness) {}

  @Get('healthz')
  @ApiOperation({ summary: 'Whether the process is alive', security: [] })
  @Answers(200, HealthDto, 'It is alive.')
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiOperation({ summary: 'Whether database and queue answer', security: [] })
  @Answers(200, HealthDto, 'They answer.')
  @OpenProblems(503)
  async ready(): Promise<HealthDto> {
    await this.checkReadiness.execute();
    return { status: 'ok' };
  }
}
