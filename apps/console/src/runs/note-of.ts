import type { ExecutionSummary } from '../api/types.js';
import { visibleText } from '../format/visible-text.js';

const MAX_CHARACTERS = 1_000;

/**
 * One line on a run: why it failed or stopped early, what it waits for, or else what it was asked. Pure.
 */
export function noteOf(run: ExecutionSummary): string {
  return visibleText(foreignNoteOf(run).slice(0, MAX_CHARACTERS));
}

function foreignNoteOf(run: ExecutionSummary): string {
  if (run.error !== null) return `${run.error.code}: ${run.error.message}`;
  if (run.required_action !== null) {
    const tools = run.required_action.calls.map(({ tool_name, asks }) =>
      asks === 'approval' ? `approve ${tool_name}` : `outcome of ${tool_name}`,
    );
    return `Waits: ${tools.join(', ')}`;
  }
  if (run.waiting_for !== null) return run.waiting_for.message;
  if (run.incomplete_details !== null) return `Stopped early: ${run.incomplete_details.reason}`;
  return inputOf(run) ?? metadataOf(run.metadata);
}

function inputOf(run: object): string | null {
  return 'input' in run && typeof run.input === 'string' ? run.input : null;
}

function metadataOf(metadata: Readonly<Record<string, unknown>>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');
}
