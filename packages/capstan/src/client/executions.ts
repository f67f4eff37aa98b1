import type { CallOptions } from './call-options.js';
import { bind } from './bind.js';
import { follow, type FollowExecutionOptions, type FollowOptions, type Stream } from './events/follow.js';
import type { Resource } from './operations.js';
import { pathOf } from './path-of.js';
import { EXECUTIONS } from './resources.js';
import type { Transport } from './transport.js';
import { waitForEnd } from './wait.js';
import type { Execution, ExecutionEvent, ExecutionListEvent } from './types.js';

type AnyEvent = ExecutionEvent | { readonly event: 'heartbeat' };

/** Which waiting calls are decided over, and by whom. */
export interface ApprovalOptions extends CallOptions {
  /** Calls as `required_action.calls` names them; by default all that wait for approval. */
  readonly calls?: readonly string[] | undefined;
  /** Why; the model reads the reason of a refusal. */
  readonly reason?: string | undefined;
  /** The person who decides, as you name them. */
  readonly person?: string | undefined;
}

export interface Executions extends Resource<typeof EXECUTIONS> {
  /** Yields the events of an execution up to its last one, over broken connections and restarts of the server. */
  follow(id: string, options?: FollowExecutionOptions): AsyncGenerator<ExecutionEvent, void, undefined>;
  /** Yields the changes of all executions of the tenant, without end. */
  followAll(options?: FollowOptions): AsyncGenerator<ExecutionListEvent, void, undefined>;
  /**
   * Waits until an execution has ended, or needs a person (`requires_action`): by answers that are held until then, or with
   * `onEvent` or `onConnection` by its stream of events.
   */
  wait(
    id: string,
    options?: FollowOptions & { onEvent?: (event: ExecutionEvent) => void },
  ): Promise<Execution>;
  /** Allows tool calls that wait for approval. */
  approve(id: string, options?: ApprovalOptions): Promise<Execution>;
  /** Refuses tool calls that wait for approval. */
  reject(id: string, options?: ApprovalOptions): Promise<Execution>;
}

export function executionsOf(transport: Transport): Executions {
  const operations = bind(EXECUTIONS, transport);

  const wait: Executions['wait'] = async (id, { onEvent, ...options } = {}) => {
    const { after: _after, onConnection, ...call } = options;
    if (onEvent === undefined && onConnection === undefined) return waitForEnd(transport, id, call);
    for await (const event of follow(transport, { ...streamOf(id), hasHeartbeats: true }, options)) {
      if (event.event !== 'heartbeat') onEvent?.(event);
      if (!mayNeedPerson(event)) continue;
      const execution = await operations.get(id, call);
      if (execution.status === 'requires_action' || execution.finished_at !== null) return execution;
    }
    return operations.get(id, call);
  };

  const decide = async (id: string, approved: boolean, options: ApprovalOptions = {}): Promise<Execution> => {
    const { calls, reason, person, ...call } = options;
    const { idempotencyKey: _key, ...reading } = call;
    const waiting = calls ?? waitingForApproval(await operations.get(id, reading));
    const decisions = waiting.map((name) => ({
      call: name,
      approved,
      ...(reason !== undefined && { reason }),
    }));
    return operations.decide(id, { decisions, ...(person !== undefined && { person }) }, call);
  };

  return {
    ...operations,
    follow: (id, options) => follow(transport, streamOf(id) as Stream<ExecutionEvent>, options),
    followAll: (options) => follow(transport, ALL_EXECUTIONS, options),
    wait,
    approve: (id, options) => decide(id, true, options),
    reject: (id, options) => decide(id, false, options),
  };
}

function streamOf(id: string): Stream<AnyEvent> {
  return { path: pathOf('/api/executions/{id}/events/', [id]), isNumbered: true, isLast };
}

const ALL_EXECUTIONS: Stream<ExecutionListEvent> = {
  path: '/api/executions/events/',
  isNumbered: false,
  isLast: () => false,
};

function isLast(event: AnyEvent): boolean {
  if (event.event === 'result') return !event.data.title_pending;
  return event.event === 'title_generated';
}

/** Whether the execution may wait for a person by now; a heartbeat makes up for an event that was lost. */
function mayNeedPerson(event: AnyEvent): boolean {
  switch (event.event) {
    case 'heartbeat':
    case 'approval_required':
    case 'outcome_required':
      return true;
    case 'status':
      return event.data.status === 'requires_action';
    default:
      return false;
  }
}

function waitingForApproval({ required_action }: Execution): string[] {
  const calls = required_action?.calls ?? [];
  return calls.filter(({ asks }) => asks === 'approval').map(({ call }) => call);
}
