import { toStorableText } from '#libs/kernel';
import type { ToolEvents, ToolProgress } from '#libs/tooling';
import type { EventSink } from '../ports/event-sink.js';
import type { ToolInvocation } from '../ports/tool-invoker.js';

const MOST_REPORTS = 100;
const LONGEST_MESSAGE = 500;

/** The reports of one call as events, bounded: a tool that floods its followers floods nobody else. */
export class ProgressEvents implements ToolEvents {
  private left = MOST_REPORTS;

  constructor(
    private readonly events: Pick<EventSink, 'emit'>,
    private readonly call: Pick<ToolInvocation, 'callId' | 'toolName' | 'round'>,
  ) {}

  progress({ message, done, total }: ToolProgress): void {
    if (this.left <= 0) return;
    this.left -= 1;
    const { callId, toolName, round } = this.call;
    const data = {
      tool_use_id: callId,
      tool_name: toolName,
      status: 'running' as const,
      message: typeof message === 'string' ? toStorableText(message.slice(0, LONGEST_MESSAGE)) : null,
      done: toFinite(done),
      total: toFinite(total),
      round,
    };
    this.events.emit({ event: 'tool_progress', data });
  }

  /** What comes after its outcome would only confuse. */
  end(): void {
    this.left = 0;
  }
}

function toFinite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
