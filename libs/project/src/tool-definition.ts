import { errorKindOf, type AnyTool, type Tool, type ToolContext } from '#libs/kit';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import {
  checkToolDefinition,
  defineTool,
  errorResult,
  ToolNotBegun,
  ToolOutcomeUnknown,
  type FunctionCallResult,
  type ToolContext as CallContext,
  type ToolDefinition,
  type ToolReturn,
} from '#libs/tooling';

const DEFAULT_TIMEOUT_MS = 30_000;
const DONE: FunctionCallResult = { status: 'success', result: { message: 'Done.' } };

/** Makes the `fetch` of a tenant. */
export type FetchFor = (tenantId: string) => typeof fetch;

/**
 * Definition of a project's tool for the service.
 * @param fetchFor undefined in processes that run no tools
 * @throws {AppError} that names the field if the tool is not usable
 */
export function toToolDefinition(tool: AnyTool, fetchFor: FetchFor | undefined): ToolDefinition {
  const { name, description, input, effect, approval, onUnknown, limits = {} } = tool as Tool;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes } = limits;
  const definition = defineTool({
    ...{ name, label: name.replaceAll(/[_-]/g, ' '), description, input, effect, timeoutMs },
    ...(approval !== undefined && { approval }),
    ...(onUnknown !== undefined && { onUnknown }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
    run: (given, call) => run(tool, given, toContext(call, fetchFor)),
  });
  checkToolDefinition(definition);
  return definition;
}

function toContext(call: CallContext, fetchFor: FetchFor | undefined): ToolContext {
  const { idempotencyKey, signal, tenantId, executionId, sessionId, executor, events } = call;
  return {
    ...{ idempotencyKey, signal, tenantId, executionId, sessionId, executor },
    fetch: fetchFor === undefined ? refuseRequest : fetchFor(tenantId),
    progress: (progress) => events.progress(progress),
  };
}

/** A process that runs no tools has no guarded `fetch`, and never falls back to an unguarded one. */
function refuseRequest(): Promise<Response> {
  return Promise.reject(new Error('this process runs no tools'));
}

async function run(tool: AnyTool, input: unknown, context: ToolContext): Promise<ToolReturn> {
  try {
    return { result: toResult(await tool.run(input, context)) };
  } catch (error) {
    switch (errorKindOf(error)) {
      case 'failure':
        return { result: errorResult((error as Error).message) };
      case 'not_begun':
        throw new ToolNotBegun((error as Error).message, { cause: error });
      case 'outcome_unknown':
        throw new ToolOutcomeUnknown((error as Error).message, { cause: error });
      case null:
        throw error;
    }
  }
}

/** Answer of a tool as the model reads it. */
export function toResult(answer: unknown): FunctionCallResult {
  const json = toJson(answer);
  if (json === undefined || json === null) return DONE;
  if (typeof json === 'string') return { status: 'success', result: { message: json } };
  return { status: 'success', result: isJsonObject(json) ? json : { value: json } };
}

/**
 * The value as `JSON.stringify` writes it. A value that has no JSON is left as it is: the call has taken effect, and the
 * service answers that its return cannot be read.
 */
function toJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return value as JsonValue;
  }
}
