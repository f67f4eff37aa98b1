import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WorkerStore, type WorkerView } from '#libs/persistence';
import { Access } from '../http/access.js';
import { Answers, Problems } from '../http/describe-answers.js';
import { Operation } from '../http/operation.js';
import { byId, toPage, type Page } from '../http/page.js';
import { WorkerListQuery, WorkerPageDto } from './workers.dto.js';

/** Shows the workers of the installation: for its operators, since they are no tenant's. */
@ApiTags('workers')
@Controller('api/workers')
@Access('admin')
export class WorkersController {
  constructor(private readonly workers: WorkerStore) {}

  @Get()
  @Operation(
    'listWorkers',
    'List workers',
    'Registered worker processes, by id. A dead one disappears within seconds, when others take over its executions.',
  )
  @Answers(200, WorkerPageDto, 'One page of workers.')
  @Problems(400)
  async list(@Query() { limit, cursor }: WorkerListQuery): Promise<Page<WorkerView>> {
    return toPage(await this.workers.list({ afterId: cursor ?? null, limit }), byId);
  }
}
