import type { EventSink, RetrieverResources } from '#libs/agent-core';
import {
  toWaitingEvent,
  type ExecutionResult,
  type ExecutionView,
  type PendingCall,
  type WaitingFor,
} from '#libs/payloads';
import type { Claim } from '../ports/claim-store.js';

/** Events of one attempt outside its loop: its beginning, and the release of the execution. */
export class AttemptEvents {
  private hasBegun = false;

  constructor(
    private readonly sink: EventSink,
    private readonly claim: Pick<Claim, 'executionId' | 'sessionId' | 'turnNumber' | 'attempt' | 'epoch'>,
  ) {}

  begin(): void {
    this.open();
    this.sink.emit({ event: 'status', data: { status: 'running', attempt: this.claim.attempt } });
  }

  /** Emits the wait before the execution is requeued; followers get the reason even if the attempt has not begun. */
  async wait(waiting: WaitingFor): Promise<void> {
    const hadBegun = this.hasBegun;
    if (!hadBegun) this.open();
    this.sink.emit({ event: 'waiting', data: toWaitingEvent(waiting) });
    if (hadBegun) await this.requeue();
    else await this.sink.flush();
  }

  /** The first stored event names the session and the turn. */
  private open(): void {
    this.hasBegun = true;
    const { executionId, sessionId, turnNumber, epoch } = this.claim;
    if (epoch !== 1) return;
    this.sink.emit({
      event: 'session_start',
      data: { session_uuid: sessionId, execution_id: executionId, turn_number: turnNumber },
    });
  }

  /** Emits the requeueing; an attempt that never began has no events to revoke. */
  async requeue(): Promise<void> {
    if (!this.hasBegun) return;
    this.sink.emit({ event: 'status', data: { status: 'queued', attempt: this.claim.attempt } });
    await this.sink.flush();
  }

  async park({ required_action: action, waiting_for: waiting }: ExecutionView): Promise<void> {
    const calls = action?.calls ?? [];
    const asking = (asks: PendingCall['asks']) => calls.filter((call) => call.asks === asks);
    const [approvals, outcomes] = [asking('approval'), asking('outcome')];
    if (approvals.length > 0) this.sink.emit({ event: 'approval_required', data: { calls: approvals } });
    if (outcomes.length > 0) this.sink.emit({ event: 'outcome_required', data: { calls: outcomes } });
    this.sink.emit({ event: 'waiting', data: toWaitingEvent(waiting) });
    this.sink.emit({ event: 'status', data: { status: 'requires_action', attempt: this.claim.attempt } });
    await this.sink.flush();
  }

  async settle(result: ExecutionResult, resources: RetrieverResources | null): Promise<void> {
    if (resources) this.sink.emit({ event: 'retriever_resources', data: toEventData(resources) });
    if (result.error) this.sink.emit({ event: 'error', data: result.error });
    this.sink.emit({ event: 'result', data: result });
    await this.sink.flush();
  }
}

function toEventData({ retriever_resources, context }: RetrieverResources) {
  return { retriever_resources: retriever_resources.map((resource) => ({ ...resource })), context };
}
