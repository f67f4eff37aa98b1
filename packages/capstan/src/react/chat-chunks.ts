import type { ExecutionEvent } from '../client/index.js';

/** Chunks of a message, a part of those that the AI SDK (7) calls `UIMessageChunk`. */
export type ChatChunk =
  | { type: 'start'; messageId: string }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-available'; toolName: string; input: unknown } & ToolCall)
  | ({ type: 'tool-output-available'; output: unknown } & ToolCall)
  | ({ type: 'tool-output-error'; errorText: string } & ToolCall)
  | { type: `data-${string}`; id?: string; data: unknown }
  | { type: 'error'; errorText: string }
  | { type: 'abort'; reason?: string }
  | { type: 'finish'; messageMetadata?: unknown };

/** Tools run in the service; a page has no types of them. */
interface ToolCall {
  toolCallId: string;
  dynamic: true;
  providerExecuted: true;
}

interface OpenPart {
  readonly kind: 'text' | 'reasoning';
  readonly id: string;
}

/** Writes the events of one execution as chunks of one message; events of sub-agents and unknown kinds are passed over. */
export class ChunkWriter {
  private open: OpenPart | null = null;
  private parts = 0;
  /** Text of the present round. */
  private text = '';
  private round = 0;

  constructor(private readonly executionId: string) {}

  begin(): ChatChunk[] {
    return [{ type: 'start', messageId: this.executionId }];
  }

  write(event: ExecutionEvent): ChatChunk[] {
    const { data } = event;
    if ('scope' in data && typeof data.scope === 'string' && data.scope !== '') return [];
    switch (event.event) {
      case 'text_delta':
        return this.writeText(event.data.content, event.data.round);
      case 'thinking':
        return this.writeDelta('reasoning', event.data.content);
      case 'tool_use': {
        const { tool_use_id: id, tool_name: toolName, tool_input: input } = event.data;
        return [...this.close(), { type: 'tool-input-available', toolName, input, ...callOf(id) }];
      }
      case 'tool_result': {
        const { tool_use_id: id, is_error: isError, result } = event.data;
        const output = isError
          ? { type: 'tool-output-error' as const, errorText: textOf(result) }
          : { type: 'tool-output-available' as const, output: result };
        return [...this.close(), { ...output, ...callOf(id) }];
      }
      case 'attempt_restarted':
        return this.restart(event.data.round);
      case 'approval_required':
      case 'outcome_required':
        return [...this.close(), this.waitFor(event.data.calls)];
      case 'status':
        return event.data.status === 'running' && this.isWaiting ? [this.waitFor([])] : [];
      case 'result':
        return this.finish(event.data);
      default:
        return [];
    }
  }

  private isWaiting = false;

  /** The calls that wait for a person, in place of those before. */
  private waitFor(calls: readonly unknown[]): ChatChunk {
    this.isWaiting = calls.length > 0;
    const data = { execution_id: this.executionId, calls };
    return { type: 'data-required-action', id: this.executionId, data };
  }

  private writeText(content: string, round: number): ChatChunk[] {
    const closed = round === this.round ? [] : this.close();
    if (round !== this.round) this.text = '';
    this.round = round;
    this.text += content;
    return [...closed, ...this.writeDelta('text', content)];
  }

  private writeDelta(kind: OpenPart['kind'], delta: string): ChatChunk[] {
    const before = this.open?.kind === kind ? [] : this.close();
    if (this.open === null) {
      this.parts += 1;
      this.open = { kind, id: `${kind}-${this.parts}` };
      before.push({ type: `${kind}-start`, id: this.open.id });
    }
    return [...before, { type: `${kind}-delta`, id: this.open.id, delta }];
  }

  private close(): ChatChunk[] {
    const { open } = this;
    this.open = null;
    return open === null ? [] : [{ type: `${open.kind}-end`, id: open.id }];
  }

  /** Text of a lost attempt cannot be taken back; its part is named, so that a page can hide it. */
  private restart(round: number): ChatChunk[] {
    const part = this.open?.id ?? null;
    if (round > this.round) return this.close();
    this.text = '';
    return [...this.close(), { type: 'data-restarted', data: { part } }];
  }

  private finish(result: Extract<ExecutionEvent, { event: 'result' }>['data']): ChatChunk[] {
    const { status, session_uuid, error } = result;
    const answer = result.result?.message.content ?? '';
    // Deltas may be missing where the stream was not available; the answer is whole.
    const rest = answer.startsWith(this.text) ? answer.slice(this.text.length) : answer;
    const chunks = rest === '' ? [] : this.writeDelta('text', rest);
    chunks.push(...this.close());
    if (status === 'cancelled') chunks.push({ type: 'abort', reason: 'cancelled' });
    if (status === 'failed' && error !== null) chunks.push({ type: 'error', errorText: error.message });
    const messageMetadata = { execution_id: this.executionId, session_uuid, status };
    return [...chunks, { type: 'finish', messageMetadata }];
  }
}

function callOf(toolCallId: string): ToolCall {
  return { toolCallId, dynamic: true, providerExecuted: true };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
