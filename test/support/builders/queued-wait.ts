import type { QueuedWait } from '#libs/executions';

/** A wait for a tool server, for a minute; name what matters to your test. */
export function aQueuedWait(overrides: Partial<QueuedWait> = {}): QueuedWait {
  const message = 'the tool server crm cannot be used: the server cannot be reached';
  return { kind: 'tool_server', name: 'crm', message, delayMs: 60_000, waitedMs: null, ...overrides };
}
