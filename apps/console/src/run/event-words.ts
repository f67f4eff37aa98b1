import type { RunEvent } from '../api/types.js';
import { noteOf, scopeOf } from '../conversation/note-of.js';
import { briefJson } from '../format/brief-json.js';
import { shortId } from '../format/ids.js';
import { visibleText } from '../format/visible-text.js';

const MAX_CHARACTERS = 300;

/** An event in one line for people, with the loop that it is of. Pure. */
export function eventWords(event: RunEvent): string {
  const scope = scopeOf(event);
  const words = wordsOf(event) ?? noteOf(event)?.text ?? briefJson(event.data);
  const line = scope === '' ? words : `in ${scope}: ${words}`;
  return visibleText(line.slice(0, MAX_CHARACTERS));
}

function wordsOf(event: RunEvent): string | null {
  switch (event.event) {
    case 'session_start':
      return `Turn ${event.data.turn_number} of session ${shortId(event.data.session_uuid)}`;
    case 'status':
      return `${event.data.status.replaceAll('_', ' ')}, attempt ${event.data.attempt}`;
    case 'text_delta':
    case 'thinking':
      return event.data.content;
    case 'tool_use':
      return `${event.data.tool_name} ${briefJson(event.data.tool_input)}`;
    case 'tool_result':
      return `${event.data.tool_name} ${event.data.is_error ? 'failed' : 'answered'}: ${event.data.result}`;
    case 'tool_progress':
      return progressWords(event.data);
    case 'log':
      return `${event.data.label}: ${event.data.error ?? event.data.status}`;
    case 'waiting':
      return event.data.kind === null ? 'Waits no longer' : event.data.message;
    case 'attempt_restarted':
      return `Attempt ${event.data.attempt} goes on from round ${event.data.round}`;
    case 'result':
      return `${event.data.status}: ${event.data.result?.message.content ?? event.data.error?.message ?? ''}`;
    case 'title_generated':
      return event.data.title;
    default:
      return null;
  }
}

interface Progress {
  readonly tool_name: string;
  readonly message: string | null;
  readonly done: number | null;
  readonly total: number | null;
}

function progressWords({ tool_name: tool, message, done, total }: Progress): string {
  const far = done === null ? null : `${done}${total === null ? '' : ` of ${total}`}`;
  return [tool, message, far].filter((part) => part !== null && part !== '').join(', ');
}
