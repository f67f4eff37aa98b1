import type { QueuedWait } from '#libs/executions';

/** A wait of a minute for a tool server; a test overrides the fields that matter to it. */
export function aQueuedWait(overrides: Partial<QueuedWait> = {}): QueuedWait {
  const message = 'the tool server crm cannot be used: the server cannot be reached';
  return { kind: 'tool_server', name: 'crm', message, delayMs: 60_000, waitedMs: null, ...overrides };
}
