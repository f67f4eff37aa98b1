import type { RunEvent } from '../api/types.js';
import { noteOf, scopeOf, type Note } from './note-of.js';

interface Placed {
  readonly key: string;
  /** Loop that it belongs to: empty at the root, `2.1` in a sub-agent. */
  readonly scope: string;
}

export interface TextEntry extends Placed {
  readonly kind: 'text' | 'thinking';
  readonly round: number;
  readonly text: string;
}

export interface ToolEntry extends Placed {
  readonly kind: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly round: number;
  /** Null while it runs or waits. */
  readonly result: { readonly text: string; readonly isError: boolean } | null;
  readonly progress: string | null;
}

export interface NoteEntry extends Placed, Note {
  readonly kind: 'note';
}

export type ConversationEntry = TextEntry | ToolEntry | NoteEntry;

/** Texts and tool calls of a run so far, in the order in which they began. */
export interface Conversation {
  readonly entries: readonly ConversationEntry[];
}

export const EMPTY_CONVERSATION: Conversation = { entries: [] };

/** Adds events to a conversation. Pure. */
export function foldEvents(before: Conversation, events: readonly RunEvent[]): Conversation {
  const entries = [...before.entries];
  for (const event of events) apply(entries, event);
  return { entries };
}

function apply(entries: ConversationEntry[], event: RunEvent): void {
  switch (event.event) {
    case 'text_delta':
      return addText(entries, event.id, 'text', event.data);
    case 'thinking':
      return addText(entries, event.id, 'thinking', event.data);
    case 'tool_use':
      return addTool(entries, event.id, event.data);
    case 'tool_result': {
      const { tool_use_id, result, is_error, scope = '' } = event.data;
      return changeTool(entries, tool_use_id, scope, { result: { text: result, isError: is_error } });
    }
    case 'tool_progress': {
      const { tool_use_id, scope = '', message, done, total } = event.data;
      const share =
        done !== null && total !== null && total > 0 ? `${Math.round((done / total) * 100)} %` : '';
      return changeTool(entries, tool_use_id, scope, {
        progress: [message, share].filter(Boolean).join(', '),
      });
    }
    case 'attempt_restarted':
      return restart(entries, event.id, event.data);
    case 'result': {
      const answer = event.data.result?.message.content;
      if (answer !== undefined) addAnswer(entries, event.id, answer);
      return;
    }
    default: {
      const note = noteOf(event);
      if (note !== null) entries.push({ kind: 'note', key: event.id, scope: scopeOf(event), ...note });
    }
  }
}

function addText(
  entries: ConversationEntry[],
  id: string,
  kind: TextEntry['kind'],
  { content, round, scope = '' }: { content: string; round: number; scope?: string },
): void {
  const at = lastOfScope(entries, scope);
  const last = entries[at];
  if (last?.kind === kind && last.round === round) entries[at] = { ...last, text: last.text + content };
  else entries.push({ kind, key: id, scope, round, text: content });
}

/** Scopes run beside each other, so that the last entry of one may be followed by those of others. */
function lastOfScope(entries: readonly ConversationEntry[], scope: string): number {
  return entries.findLastIndex((entry) => entry.scope === scope);
}

function addTool(
  entries: ConversationEntry[],
  id: string,
  data: { tool_use_id: string; tool_name: string; tool_input?: unknown; round: number; scope?: string },
): void {
  const { tool_use_id, tool_name, tool_input, round, scope = '' } = data;
  const fields = { scope, callId: tool_use_id, name: tool_name, input: tool_input, round };
  const at = toolAt(entries, tool_use_id, scope);
  const known = entries[at];
  if (known === undefined) entries.push({ kind: 'tool', key: id, ...fields, result: null, progress: null });
  else entries[at] = { kind: 'tool', key: known.key, ...fields, result: null, progress: null };
}

function changeTool(
  entries: ConversationEntry[],
  callId: string,
  scope: string,
  change: Partial<Pick<ToolEntry, 'result' | 'progress'>>,
): void {
  const at = toolAt(entries, callId, scope);
  const tool = entries[at];
  if (tool?.kind === 'tool') entries[at] = { ...tool, ...change };
}

function toolAt(entries: readonly ConversationEntry[], callId: string, scope: string): number {
  return entries.findLastIndex(
    (entry) => entry.kind === 'tool' && entry.callId === callId && entry.scope === scope,
  );
}

/** Another attempt says the text of its round anew: what was said of it before is dropped. */
function restart(
  entries: ConversationEntry[],
  id: string,
  { attempt, round, scope = '' }: { attempt: number; round: number; scope?: string },
): void {
  const isDropped = (entry: ConversationEntry): boolean =>
    (entry.kind === 'text' || entry.kind === 'thinking') && entry.scope === scope && entry.round >= round;
  const kept = entries.filter((entry) => !isDropped(entry));
  entries.splice(0, entries.length, ...kept);
  const text = `Attempt ${attempt} goes on from round ${round}: the worker before it was lost`;
  entries.push({ kind: 'note', key: id, scope, tone: 'action', text });
}

/** Answers are shown once, although the model has mostly streamed them before. */
function addAnswer(entries: ConversationEntry[], id: string, answer: string): void {
  const last = entries.findLast((entry) => entry.kind === 'text' && entry.scope === '');
  if (answer.trim() === '' || (last?.kind === 'text' && last.text.trim() === answer.trim())) return;
  entries.push({ kind: 'text', key: id, scope: '', round: 0, text: answer });
}
