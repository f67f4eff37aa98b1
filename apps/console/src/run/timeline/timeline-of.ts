import type { RecordedEntry } from '../../api/types.js';
import { SWITCH_WORDS } from '../../conversation/switch-words.js';
import type { EntryStatus, MakingStep, TimelineEntry } from './timeline-entry.js';

const STATUS: Readonly<Record<string, EntryStatus>> = {
  running: 'running',
  started: 'running',
  requested: 'running',
  waiting: 'waiting',
  pending: 'waiting',
  succeeded: 'succeeded',
  ended: 'succeeded',
  over: 'succeeded',
  decided: 'succeeded',
  delivered: 'succeeded',
  failed: 'failed',
  exhausted: 'failed',
  lost: 'unknown',
  unknown: 'unknown',
  interrupted: 'unknown',
  outcome_unknown: 'unknown',
  refused: 'skipped',
  withdrawn: 'skipped',
  skipped: 'skipped',
  switched: 'succeeded',
  none_left: 'failed',
};

/** Ways in which an attempt ends that another one has to make good. */
const BAD_ENDS: readonly (string | null | undefined)[] = ['failed', 'lost', 'process_died', 'cut_off'];

/** The timeline as the service has recorded it; what has not begun is left out. Pure. */
export function timelineOf(entries: readonly RecordedEntry[]): TimelineEntry[] {
  return entries.flatMap((entry): TimelineEntry[] => {
    if (entry.started_at === null) return [];
    return [
      {
        id: entry.id,
        kind: entry.kind,
        parentId: entry.parent_id,
        status: statusOf(entry),
        startedAt: Date.parse(entry.started_at),
        finishedAt: entry.finished_at === null ? null : Date.parse(entry.finished_at),
        stepKey: entry.kind === 'tool_call' ? entry.call : null,
        madeBy: makingStepOf(entry),
        ...wordsOf(entry),
      },
    ];
  });
}

function statusOf(entry: RecordedEntry): EntryStatus {
  if (entry.kind === 'attempt' && BAD_ENDS.includes(entry.end_reason)) return 'failed';
  return STATUS[entry.status] ?? 'unknown';
}

function makingStepOf(entry: RecordedEntry): MakingStep | null {
  if (entry.kind !== 'tool_call' || entry.step === null) return null;
  return { name: entry.step, scope: entry.scope, round: entry.round };
}

function wordsOf(entry: RecordedEntry): Pick<TimelineEntry, 'label' | 'detail'> {
  switch (entry.kind) {
    case 'attempt':
      return { label: `Attempt ${entry.number}`, detail: joined(entry.worker, words(entry.end_reason)) };
    case 'model_call': {
      const round = entry.purpose === 'round' ? `Round ${entry.round ?? ''}` : `Model: ${entry.purpose}`;
      const tries = entry.try_number ?? 1;
      return {
        label: tries > 1 ? `${round}, try ${tries}` : round,
        detail: joined(entry.model, tokens(entry.output_tokens), entry.error_code),
      };
    }
    case 'model_switch':
      return entry.model === null
        ? { label: 'No fallback model', detail: SWITCH_WORDS[entry.reason] }
        : { label: `Fallback: ${entry.model}`, detail: SWITCH_WORDS[entry.reason] };
    case 'tool_call': {
      const { step, tool_name: tool, call_id: callId } = entry;
      if (step === null) return { label: tool, detail: '' };
      return { label: callId, detail: tool === step ? '' : tool };
    }
    case 'approval':
      return {
        label: entry.asks === 'outcome' ? 'Outcome' : 'Approval',
        detail: words(entry.decision) ?? 'waits for a person',
      };
    case 'wait':
      return { label: `Wait: ${words(entry.reason) ?? ''}`, detail: entry.message };
    case 'webhook_delivery':
      return { label: `Webhook ${entry.event_type}`, detail: `${entry.attempt_count} sent` };
  }
}

const words = (name: string | null): string | undefined => name?.replaceAll('_', ' ');

const tokens = (count: number | null): string | undefined =>
  count === null ? undefined : `${count.toLocaleString('en-US')} tokens out`;

const joined = (...parts: (string | null | undefined)[]): string =>
  parts.filter((part) => (part ?? '') !== '').join(' · ');
