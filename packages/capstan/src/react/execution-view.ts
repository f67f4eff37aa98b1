import type { Connection, ExecutionEvent, ExecutionStatus, WaitingCall } from '../client/index.js';

/** Data of the event that ends an execution. */
export type ExecutionEnd = Extract<ExecutionEvent, { event: 'result' }>['data'];

/** An execution as far as its events have come. */
export interface ExecutionView {
  /** Null until the first event. */
  readonly status: ExecutionStatus | null;
  /** The text that the model writes in its present round; in the end the answer. */
  readonly text: string;
  /** The tool that runs; null where none does. */
  readonly toolName: string | null;
  /** Tool calls that wait for a person. */
  readonly calls: readonly WaitingCall[];
  /** How it ended; null until then. */
  readonly result: ExecutionEnd | null;
  /** Title of the session, where one was made. */
  readonly title: string | null;
  readonly connection: Connection;
  /** Why it is followed no longer; null where nothing went wrong. */
  readonly error: unknown;
  /** Round that `text` is of. */
  readonly round: number;
}

export const EMPTY_VIEW: ExecutionView = {
  status: null,
  text: '',
  toolName: null,
  calls: [],
  result: null,
  title: null,
  connection: 'connecting',
  error: null,
  round: 0,
};

/** The view after an event; those of sub-agents and of unknown kinds change nothing. Pure. */
export function foldEvent(view: ExecutionView, event: ExecutionEvent): ExecutionView {
  const { data } = event;
  if ('scope' in data && typeof data.scope === 'string' && data.scope !== '') return view;
  switch (event.event) {
    case 'status':
      return {
        ...view,
        status: event.data.status,
        calls: event.data.status === 'requires_action' ? view.calls : [],
      };
    case 'text_delta': {
      const { round, content } = event.data;
      return { ...view, round, toolName: null, text: round === view.round ? view.text + content : content };
    }
    case 'attempt_restarted':
      return event.data.round <= view.round ? { ...view, text: '', toolName: null } : view;
    case 'tool_use':
      return { ...view, toolName: event.data.tool_name };
    case 'tool_result':
      return { ...view, toolName: null };
    case 'approval_required':
    case 'outcome_required':
      return { ...view, status: 'requires_action', calls: event.data.calls };
    case 'approval_decided':
    case 'outcome_decided':
      return { ...view, calls: view.calls.filter(({ call }) => call !== event.data.call) };
    case 'result': {
      const text = event.data.result?.message.content ?? view.text;
      return { ...view, status: event.data.status, text, toolName: null, calls: [], result: event.data };
    }
    case 'title_generated':
      return { ...view, title: event.data.title };
    default:
      return view;
  }
}
