import type { Execution, WaitingCall } from '../../client/index.js';
import { plainText } from './plain-text.js';

/** How an execution ended, for a person: its answer, or why there is none. Pure. */
export function endLines(execution: Execution): string[] {
  const { id, status, error, incomplete_details: limit, result } = execution;
  switch (status) {
    case 'completed':
      return [plainText(result?.message.content ?? '')];
    case 'failed':
      return [`Execution ${id} failed: ${plainText(error?.message ?? '')} (${error?.code ?? 'unknown'})`];
    case 'incomplete':
      return [
        ...(result === null ? [] : [plainText(result.message.content)]),
        `Execution ${id} ended at a limit: ${limit?.reason ?? 'unknown'}.`,
      ];
    case 'cancelled':
      return [`Execution ${id} was cancelled.`];
    case 'requires_action':
      return [
        `Execution ${id} waits for a person:`,
        ...(execution.required_action?.calls ?? []).flatMap(callLines),
      ];
    case 'queued':
    case 'running':
      return [`Execution ${id} is ${status}.`];
  }
}

/** A tool call that waits for a person, with its input. Pure. */
export function callLines({ call, asks, tool_name, tool_input, reason }: WaitingCall): string[] {
  const question = asks === 'approval' ? 'asks to be allowed' : 'was begun, and its outcome is unknown';
  const input = JSON.stringify(tool_input, null, 2);
  return [
    `  ${call}  ${plainText(tool_name)} ${question}${reason === undefined ? '' : ` (${reason})`}`,
    ...plainText(input)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}

/** `450 ms`, `12.3 s`, `4 min 5 s`; null while it runs. */
export function durationOf(startedAt: string | null, finishedAt: string | null): string | null {
  if (startedAt === null || finishedAt === null) return null;
  const ms = Date.parse(finishedAt) - Date.parse(startedAt);
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
