import type { ExecutionStatus, PendingCall, ShownWait, WaitingFor } from '#libs/payloads';

/** Columns that determine the wait of an execution. */
export interface WaitRow {
  readonly status: ExecutionStatus;
  readonly session_id: string;
  readonly waiting_for: WaitingFor | null;
  readonly pending_calls: readonly Pick<WaitedCall, 'tool_name' | 'asks'>[] | null;
  readonly head_since: Date | null;
  readonly due_at: Date | null;
  readonly deadline_at: Date | null;
  readonly approval_expires_at: Date | null;
  readonly created_at: Date;
}

type WaitedCall = Pick<PendingCall, 'tool_name'> & { readonly asks?: PendingCall['asks'] | undefined };

/** The shown wait of an execution; null if it runs or has ended. The stored wait may belong to an earlier status. */
export function shownWait(row: WaitRow): ShownWait | null {
  const wait = waitOf(row);
  if (wait === null) return null;
  const isOfPerson = row.status === 'requires_action';
  const deadline = isOfPerson ? row.approval_expires_at : row.deadline_at;
  return { ...wait, deadline_at: deadline?.toISOString() ?? null };
}

function waitOf(row: WaitRow): WaitingFor | null {
  const stored = row.waiting_for && normalized(row.waiting_for);
  const isOfPerson = stored?.kind === 'approval' || stored?.kind === 'outcome';
  switch (row.status) {
    case 'requires_action':
      return isOfPerson
        ? stored
        : { ...waitOfCalls(row.pending_calls ?? []), since: row.created_at.toISOString() };
    case 'running':
      return isOfPerson ? null : stored;
    case 'queued':
      return stored === null || isOfPerson ? inLine(row) : stored;
    default:
      return null;
  }
}

/** Initial wait of calls for a person's decision. */
export function waitOfCalls(calls: readonly WaitedCall[]): Omit<WaitingFor, 'since'> {
  const asked = calls.find(({ asks }) => asks === 'outcome') ?? calls[0];
  const name = asked?.tool_name ?? null;
  const of = name === null ? 'a call' : `a call of ${name}`;
  return asked?.asks === 'outcome'
    ? { kind: 'outcome', name, next_try_at: null, message: `a person has to say whether ${of} took effect` }
    : { kind: 'approval', name, next_try_at: null, message: `a person has to agree to ${of}` };
}

function inLine({ session_id, head_since, due_at, created_at }: WaitRow): WaitingFor {
  if (head_since === null)
    return {
      kind: 'conversation',
      name: session_id,
      since: created_at.toISOString(),
      next_try_at: null,
      message: 'an earlier execution of its session has not ended',
    };
  return {
    kind: 'slot',
    name: null,
    since: new Date(Math.max(created_at.getTime(), head_since.getTime())).toISOString(),
    next_try_at: due_at?.toISOString() ?? null,
    message: 'a worker has to be free',
  };
}

/** Converts PostgreSQL's JSON timestamps to the API's format. */
function normalized({ kind, name, since, next_try_at, message }: WaitingFor): WaitingFor {
  const iso = (time: string): string => new Date(time).toISOString();
  return {
    kind,
    name,
    since: iso(since),
    next_try_at: next_try_at === null ? null : iso(next_try_at),
    message,
  };
}
