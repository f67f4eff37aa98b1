import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import { ApprovalStore, ExecutionStore, type CallDecision } from '#libs/persistence';
import { ExecutionDispatcher } from '../executions/execution-dispatcher.js';
import { executionNotFound } from '../executions/execution.faults.js';
import type { DecisionsDto } from './approval.dto.js';
import { notWaiting, unknownCalls, wrongKind } from './approval.faults.js';

/** Records a person's decisions, all or none; with the last one the execution goes on. */
@Injectable()
export class DecideApprovals {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly executions: ExecutionStore,
    private readonly dispatcher: ExecutionDispatcher,
  ) {}

  async execute(tenantId: string, executionId: string, { decisions }: DecisionsDto): Promise<ExecutionView> {
    const result = await this.approvals.decide(tenantId, executionId, decisions.map(toDecision));
    switch (result.kind) {
      case 'decided':
        if (result.isRunnable) this.dispatcher.trigger();
        return this.read(tenantId, executionId);
      case 'not_found':
        throw executionNotFound();
      case 'not_waiting':
        throw notWaiting();
      case 'unknown_calls':
        throw unknownCalls(decisions, result.calls);
      case 'wrong_kind':
        throw wrongKind(result.calls);
      default:
        return assertNever(result);
    }
  }

  private async read(tenantId: string, executionId: string): Promise<ExecutionView> {
    const view = await this.executions.find(tenantId, executionId);
    if (view === null) throw executionNotFound();
    return view;
  }
}

function toDecision({
  call,
  reason,
  approved,
  outcome,
  output,
}: DecisionsDto['decisions'][number]): CallDecision {
  if (outcome === undefined) return { call, reason, approved: approved === true };
  const report = outcome === 'happened' ? { kind: outcome, output: output ?? null } : { kind: outcome };
  return { call, reason, report };
}
