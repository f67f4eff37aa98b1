import { toStorableText } from '#libs/kernel';
import type { Progress, ToolEvents } from '#libs/tooling';
import type { EventSink } from '../ports/event-sink.js';
import type { ToolInvocation } from '../ports/tool-invoker.js';

const MAX_REPORTS = 100;
const MAX_MESSAGE = 500;

/** Emits the progress reports of one call as events, at most 100, so that one tool cannot flood the event stream. */
export class ProgressEvents implements ToolEvents {
  private left = MAX_REPORTS;

  constructor(
    private readonly events: Pick<EventSink, 'emit'>,
    private readonly call: Pick<ToolInvocation, 'callId' | 'toolName' | 'round'>,
  ) {}

  progress({ message, done, total }: Progress): void {
    if (this.left <= 0) return;
    this.left -= 1;
    const { callId, toolName, round } = this.call;
    const data = {
      tool_use_id: callId,
      tool_name: toolName,
      status: 'running' as const,
      message: typeof message === 'string' ? toStorableText(message.slice(0, MAX_MESSAGE)) : null,
      done: toFinite(done),
      total: toFinite(total),
      round,
    };
    this.events.emit({ event: 'tool_progress', data });
  }

  /** Drops reports that arrive after the call's outcome. */
  end(): void {
    this.left = 0;
  }
}

function toFinite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
