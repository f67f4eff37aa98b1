import { Injectable } from '@nestjs/common';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { executionNotFound } from './execution.faults.js';

/** One execution of the tenant. Throws `NOT_FOUND`. */
@Injectable()
export class FindExecution {
  constructor(private readonly executions: ExecutionStore) {}

  async execute(tenantId: string, id: string): Promise<ExecutionView> {
    const view = await this.executions.find(tenantId, id);
    if (view === null) throw executionNotFound();
    return view;
  }
}
