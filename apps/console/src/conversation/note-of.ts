import type { RunEvent } from '../api/types.js';
import { visibleText } from '../format/visible-text.js';
import { SWITCH_WORDS } from './switch-words.js';

/** A line about the run between its messages. */
export interface Note {
  readonly tone: 'plain' | 'action' | 'failed';
  readonly text: string;
}

/** The loop that an event is of; empty for the main one. Pure. */
export const scopeOf = (event: RunEvent): string =>
  'scope' in event.data && typeof event.data.scope === 'string' ? event.data.scope : '';

/** An event as a note; null for one that says nothing to people by itself. Pure. */
export function noteOf(event: RunEvent): Note | null {
  const note = foreignNoteOf(event);
  return note === null ? null : { ...note, text: visibleText(note.text) };
}

/** The same with texts of models, tools and people as they are. */
function foreignNoteOf(event: RunEvent): Note | null {
  switch (event.event) {
    case 'approval_required':
      return { tone: 'action', text: `Waits for a person: ${namesOf(event.data.calls)}` };
    case 'outcome_required':
      return { tone: 'action', text: `Outcome unknown, waits for a person: ${namesOf(event.data.calls)}` };
    case 'approval_decided': {
      const { approved, reason, call } = event.data;
      return { tone: 'plain', text: withReason(`Call ${call} ${approved ? 'approved' : 'refused'}`, reason) };
    }
    case 'outcome_decided': {
      const { outcome, reason, call } = event.data;
      return { tone: 'plain', text: withReason(`Call ${call}: ${outcome.replaceAll('_', ' ')}`, reason) };
    }
    case 'subagent':
      return event.data.action === 'start'
        ? { tone: 'plain', text: `Sub-agent ${event.data.agent_type} begins` }
        : {
            tone: 'plain',
            text: `Sub-agent ${event.data.agent_type} ends: ${event.data.status ?? 'unknown'}`,
          };
    case 'step_skipped':
      return {
        tone: 'plain',
        text: `Step ${event.data.step} skipped: ${SKIP_WORDS[event.data.because]}`,
      };
    case 'model_switched': {
      const { from, model, reason } = event.data;
      return { tone: 'action', text: `${model} is asked in place of ${from}: ${SWITCH_WORDS[reason]}` };
    }
    case 'events_dropped':
      return { tone: 'failed', text: `${event.data.count} events were dropped` };
    case 'error':
      return { tone: 'failed', text: `${event.data.code}: ${event.data.message}` };
    case 'retriever_resources':
      return { tone: 'plain', text: `${event.data.retriever_resources.length} passages found in documents` };
    case 'file':
      return { tone: 'plain', text: `The model answered with a file (${event.data.type})` };
    default:
      return null;
  }
}

const SKIP_WORDS = { condition: 'its condition does not hold', branch: 'a branch leads past it' } as const;

const namesOf = (calls: readonly { tool_name: string }[]): string =>
  calls.map(({ tool_name }) => tool_name).join(', ');

const withReason = (text: string, reason: string): string => (reason === '' ? text : `${text}: ${reason}`);
