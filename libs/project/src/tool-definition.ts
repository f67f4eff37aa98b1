import { errorKindOf, type AnyTool, type Tool, type ToolContext } from '#libs/kit';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import {
  checkToolDefinition,
  defineTool,
  errorResult,
  ToolNotBegun,
  ToolOutcomeUnknown,
  type FunctionCallResult,
  type StagedChange,
  type ToolContext as CallContext,
  type ToolDefinition,
  type ToolReturn,
} from '#libs/tooling';

const DEFAULT_TIMEOUT_MS = 30_000;
const DONE: FunctionCallResult = { status: 'success', result: { message: 'Done.' } };

/** Facilities of a process that runs tools. */
export interface ToolFacilities extends Pick<ToolContext, 'database' | 'secrets'> {
  /** Makes the `fetch` of a tenant. */
  readonly fetchFor: (tenantId: string) => typeof fetch;
}

/**
 * Definition of a project's tool for the service.
 * @param facilities undefined in processes that run no tools
 * @throws {AppError} that names the field if the tool is not usable
 */
export function toToolDefinition(tool: AnyTool, facilities: ToolFacilities | undefined): ToolDefinition {
  const { name, description, input, effect, approval, onUnknown, isForeign, limits = {} } = tool as Tool;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes } = limits;
  const definition = defineTool({
    ...{ name, label: name.replaceAll(/[_-]/g, ' '), description, input, effect, timeoutMs },
    ...(approval !== undefined && { approval }),
    ...(onUnknown !== undefined && { onUnknown }),
    ...(isForeign !== undefined && { isForeign }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
    run: (given, call) => run(tool, given, call, facilities),
  });
  checkToolDefinition(definition);
  return definition;
}

/** A process that runs no tools never calls the tool, so that it has neither a database nor an unguarded `fetch`. */
async function run(
  tool: AnyTool,
  input: unknown,
  call: CallContext,
  facilities: ToolFacilities | undefined,
): Promise<ToolReturn> {
  if (facilities === undefined) throw new ToolNotBegun('this process runs no tools');
  const staged: StagedChange[] = [];
  let baked: JsonObject = {};
  const context: ToolContext = {
    ...contextOf(call, facilities),
    stage: (kind, data) => void staged.push({ kind, data: data as JsonObject }),
    bake: (data) => {
      baked = { ...baked, ...(data as JsonObject) };
    },
  };
  try {
    const result = toResult(await tool.run(input, context));
    return {
      result,
      ...(staged.length > 0 && { staged }),
      ...(Object.keys(baked).length > 0 && { bake: baked }),
    };
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

function contextOf(
  call: CallContext,
  { database, secrets, fetchFor }: ToolFacilities,
): Omit<ToolContext, 'stage' | 'bake'> {
  const { idempotencyKey, signal, tenantId, executionId, sessionId, executor, events } = call;
  return {
    ...{ idempotencyKey, signal, tenantId, executionId, sessionId, executor, database, secrets },
    fetch: fetchFor(tenantId),
    progress: (progress) => events.progress(progress),
  };
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
