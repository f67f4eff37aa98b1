import type { RunStep } from '../api/types.js';
import type { ToolEntry } from './fold-events.js';

/** A recorded tool call as an entry of a conversation. Pure. */
export function toolOf(step: RunStep): ToolEntry {
  const { scope, round, position, call_id: callId, tool_name: name, input, status } = step;
  const key = `${scope}:${round}.${position}`;
  const isError = status === 'failed' || status === 'refused' || status === 'outcome_unknown';
  const result = status === 'started' ? null : { text: textOf(step), isError };
  return { kind: 'tool', key, scope, callId, name, input, round, result, progress: null };
}

/** Text that the model read, or else why there is none. */
function textOf({ output, error, status }: RunStep): string {
  const read = readTextOf(output);
  if (read !== null) return read;
  if (output !== null && output !== undefined) return JSON.stringify(output);
  return error ?? status.replaceAll('_', ' ');
}

/** A tool that answers texts has `{result: {text}}` as output; the text may be JSON that was read as such. */
function readTextOf(output: unknown): string | null {
  if (typeof output === 'string') return output;
  const result = memberOf(output, 'result');
  const text = memberOf(result, 'text') ?? null;
  if (text === null) return null;
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
