import type { NumberedEvent } from '#libs/payloads';

/**
 * Events that followers of an execution have seen, one line each: kind, round or parent, text. Ids become labels, times are
 * left out, and neighbouring pieces of a text are joined, because the places where a stream was cut do not count.
 */
export function messageSequence(events: readonly NumberedEvent[]): string[] {
  const labels = new Map<string, string>();
  for (const event of events) if (event.event === 'log') labels.set(event.data.id, event.data.label);
  return whole(events).map((event) => toLine(event, labels));
}

/** Joins neighbouring pieces of the same text. */
function whole(events: readonly NumberedEvent[]): NumberedEvent[] {
  const joined: NumberedEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    const isMore = last && isText(last) && isText(event) && last.event === event.event;
    if (isMore && last.data.round === event.data.round) {
      const content = last.data.content + event.data.content;
      joined[joined.length - 1] = { ...event, data: { content, round: event.data.round } };
    } else joined.push(event);
  }
  return joined;
}

type TextEvent = Extract<NumberedEvent, { event: 'text_delta' | 'thinking' }>;

function isText(event: NumberedEvent): event is TextEvent {
  return event.event === 'text_delta' || event.event === 'thinking';
}

function toLine(event: NumberedEvent, labels: ReadonlyMap<string, string>): string {
  switch (event.event) {
    case 'session_start':
      return 'session';
    case 'status':
      return `status ${event.data.status}`;
    case 'text_delta':
      return `text ${event.data.round} ${JSON.stringify(event.data.content)}`;
    case 'thinking':
      return `thinking ${event.data.round} ${JSON.stringify(event.data.content)}`;
    case 'subagent':
      return `${event.data.action} ${event.data.agent_type}`;
    case 'tool_use':
      return `use ${event.data.tool_name} ${JSON.stringify(event.data.tool_input)}`;
    case 'tool_progress':
      return `progress ${event.data.tool_name} ${event.data.message ?? ''}`;
    case 'tool_result':
      return `${event.data.is_error ? 'no result' : 'result'} ${event.data.tool_name} ${event.data.result}`;
    case 'log': {
      const { status, label, parent_id } = event.data;
      return `${status} ${label}${parent_id === null ? '' : ` in ${labels.get(parent_id) ?? 'nothing'}`}`;
    }
    case 'file':
      return `file ${fileLine(event.data)}`;
    case 'retriever_resources':
      return `resources ${JSON.stringify(event.data.retriever_resources.map((resource) => resource['content']))}`;
    case 'waiting':
      return `waiting for ${event.data.kind ?? 'nothing'}`;
    case 'approval_required':
    case 'outcome_required': {
      const calls = event.data.calls.map(({ call, tool_name }) => `${call} ${tool_name}`);
      return `${event.event === 'approval_required' ? 'approval' : 'outcome'} ${calls.join(', ')}`;
    }
    case 'approval_decided':
      return `${event.data.approved ? 'approved' : 'refused'} ${event.data.call}`;
    case 'outcome_decided':
      return `${event.data.outcome} ${event.data.call}`;
    case 'attempt_restarted':
      return `restarted attempt ${event.data.attempt} round ${event.data.round}`;
    case 'model_switched':
      return `model ${event.data.model} for ${event.data.from}, ${event.data.reason}`;
    case 'step_skipped':
      return `skipped ${event.data.step} by ${event.data.because}`;
    case 'events_dropped':
      return `dropped ${event.data.count}`;
    case 'error':
      return `error ${event.data.code}`;
    case 'title_generated':
      return `title ${event.data.title}`;
    case 'result':
      return resultLine(event.data);
  }
}

function fileLine({ type, ...fields }: Extract<NumberedEvent, { event: 'file' }>['data']): string {
  const { url, source, filename, size } = fields;
  const named = [url, source, filename, size].filter((field) => field !== undefined);
  return [type, ...named.map(String)].join(' ');
}

function resultLine(view: Extract<NumberedEvent, { event: 'result' }>['data']): string {
  const reason = view.incomplete_details ? ` ${view.incomplete_details.reason}` : '';
  return `${view.status}${reason} ${JSON.stringify(view.result?.message.content ?? null)}`;
}
