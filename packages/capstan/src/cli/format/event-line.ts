import type { ExecutionEvent } from '../../client/index.js';
import { oneLine, plainText } from './plain-text.js';

const WIDTH = 200;

/** The part of an event that is shown: text as it is written, or a line of its own; null for nothing. */
export type Shown = { readonly text: string } | { readonly line: string } | null;

/** Pure. */
export function showEvent(event: ExecutionEvent): Shown {
  switch (event.event) {
    case 'text_delta':
      return isInner(event.data) ? null : { text: plainText(event.data.content) };
    case 'status':
      return event.data.status === 'queued' ? null : { line: `status ${event.data.status}` };
    case 'tool_use':
      return {
        line: `tool ${event.data.tool_name} ${oneLine(JSON.stringify(event.data.tool_input), WIDTH)}`,
      };
    case 'tool_result': {
      const { tool_name, is_error, result } = event.data;
      return { line: `${is_error ? 'failed' : 'answer'} ${tool_name} ${oneLine(result, WIDTH)}` };
    }
    case 'waiting':
      return event.data.kind === null ? null : { line: `waiting ${oneLine(event.data.message, WIDTH)}` };
    case 'attempt_restarted':
      return { line: `restarted attempt ${event.data.attempt}: another worker goes on` };
    case 'model_switched':
      return { line: `model ${event.data.model} instead of ${event.data.from}` };
    case 'subagent':
      return { line: `sub-agent ${event.data.agent_type} ${event.data.action}` };
    case 'events_dropped':
      return { line: `${event.data.count} events are missing here` };
    case 'title_generated':
      return { line: `title ${oneLine(event.data.title, WIDTH)}` };
    default:
      return null;
  }
}

function isInner(data: { readonly scope?: string }): boolean {
  return data.scope !== undefined && data.scope !== '';
}
