import {
  CapstanError,
  ExecutionCancelledError,
  ExecutionFailedError,
  ExecutionIncompleteError,
  OutputError,
} from './errors.js';
import type { Executions } from './executions.js';
import { readBySchema, type OutputOf, type Schema } from './standard-schema.js';
import type { CallOptions } from './call-options.js';
import type { ExecuteRequest, Execution, ExecutionEvent, WaitingCall } from './types.js';

/** Shortest and longest time in seconds that the service holds the answer to a submit. */
const [MIN_WAIT, MAX_WAIT] = [1, 60];

export interface RunOptions<S extends Schema | undefined = undefined> extends CallOptions {
  /** Schema of the answer, which then has to be JSON; the output is its value. */
  readonly output?: S;
  /**
   * Seconds that the first answer may be held, 1 to 60: a short execution then takes one request. By default it is followed
   * from the beginning.
   */
  readonly wait?: number | undefined;
  /** Called with each event of the execution, as it is followed. */
  readonly onEvent?: ((event: ExecutionEvent) => void) | undefined;
}

export interface Completed<Output> {
  readonly status: 'completed';
  /** The answer, or its value by the schema. */
  readonly output: Output;
  readonly text: string;
  readonly execution: Execution;
}

/** The execution waits until a person has decided; go on with `approve` or `decide`, then `wait`. */
export interface RequiresAction {
  readonly status: 'requires_action';
  readonly calls: readonly WaitingCall[];
  readonly execution: Execution;
}

export type RunResult<Output> = Completed<Output> | RequiresAction;

/** Output of a run, by the schema that it was given. */
export type OutputBy<S extends Schema | undefined> = S extends Schema ? OutputOf<S> : string;

/**
 * Submits work and waits for its end, or for a person.
 * @throws {ExecutionFailedError | ExecutionCancelledError | ExecutionIncompleteError | OutputError}
 */
export async function run<S extends Schema | undefined>(
  executions: Executions,
  agent: number,
  input: string | ExecuteRequest,
  { output, wait, onEvent, ...call }: RunOptions<S>,
): Promise<RunResult<OutputBy<S>>> {
  const body = typeof input === 'string' ? { input } : input;
  const submitted = await executions.submit(agent, body, wait === undefined ? call : holding(call, wait));
  const { idempotencyKey: _key, ...following } = call;
  const isOpen = submitted.finished_at === null && submitted.status !== 'requires_action';
  const execution = isOpen
    ? await executions.wait(submitted.id, { ...following, ...(onEvent !== undefined && { onEvent }) })
    : submitted;
  return resultOf(execution, output as S);
}

/** A failed execution is an answer like any other. */
function holding(call: CallOptions, seconds: number): CallOptions {
  if (!(seconds >= MIN_WAIT && seconds <= MAX_WAIT)) {
    throw new CapstanError(`wait is ${seconds}; it must be ${MIN_WAIT} to ${MAX_WAIT} seconds.`);
  }
  const prefer = `wait=${Math.ceil(seconds)}, handling=lenient`;
  const timeout = call.timeout === undefined ? {} : { timeout: call.timeout + seconds * 1_000 };
  return { ...call, ...timeout, headers: { prefer, ...call.headers } };
}

async function resultOf<S extends Schema | undefined>(
  execution: Execution,
  schema: S,
): Promise<RunResult<OutputBy<S>>> {
  switch (execution.status) {
    case 'completed':
      return completed(execution, schema);
    case 'failed':
      throw new ExecutionFailedError(execution);
    case 'cancelled':
      throw new ExecutionCancelledError(execution);
    case 'incomplete':
      throw new ExecutionIncompleteError(execution);
    case 'requires_action':
    case 'queued':
    case 'running':
      return { status: 'requires_action', calls: execution.required_action?.calls ?? [], execution };
  }
}

async function completed<S extends Schema | undefined>(
  execution: Execution,
  schema: S,
): Promise<Completed<OutputBy<S>>> {
  const text = execution.result?.message.content ?? '';
  if (schema === undefined) return { status: 'completed', output: text as OutputBy<S>, text, execution };
  const read = await readBySchema(text, schema);
  if ('fault' in read)
    throw new OutputError(`The answer does not fit the schema: ${read.fault}.`, execution, text);
  return { status: 'completed', output: read.value as OutputBy<S>, text, execution };
}
