import { isJsonObject, MAX_JSON_DEPTH, type JsonObject, type JsonValue } from '#libs/kernel';
import {
  PassingFailure,
  type InputReading,
  type OpenedServer,
  type ServerCredentials,
  type ServerTool,
  type ToolContext,
  type ToolReturn,
  type ToolServerFailure,
} from '#libs/tooling';
import { hideSecrets } from './hide-secrets.js';

type Hide = (text: string) => string;
type Output = NonNullable<ToolReturn['outputs']>[number];

/**
 * The same server, without the credentials that it was sent wherever it repeats them: in descriptions, schemas, warnings,
 * results, files, progress and errors. Nothing behind this stores or shows what stood in them.
 */
export function withoutCredentials(opened: OpenedServer, credentials: ServerCredentials): OpenedServer {
  const hide = hideSecrets(credentials);
  if (hide === null) return opened;
  const tools = opened.tools.filter(({ name }) => hide(name) === name);
  const leftOut = tools.length === opened.tools.length ? [] : [LEFT_OUT];
  return {
    tools: tools.map((tool) => hideInTool(tool, hide)),
    warnings: [...opened.warnings.map(hide), ...leftOut],
    close: () => opened.close(),
  };
}

/** What an opening rejected with, without the credentials that it was made with. */
export function failureWithoutCredentials(
  failure: ToolServerFailure,
  credentials: ServerCredentials,
): ToolServerFailure {
  const hide = hideSecrets(credentials);
  return hide === null ? failure : hideInThrown(failure, hide);
}

const LEFT_OUT = 'a tool that is named like a credential is left out';

function hideInTool(tool: ServerTool, hide: Hide): ServerTool {
  const { readInput } = tool;
  return {
    ...tool,
    // What it refuses it quotes its schema for.
    ...(readInput !== undefined && { readInput: (input) => hideInReading(readInput(input), hide) }),
    label: hide(tool.label),
    description: hide(tool.description),
    inputSchema: hideInJson(tool.inputSchema, hide) as JsonObject,
    run: async (input, context) => {
      try {
        return hideInReturn(await tool.run(input, quieter(context, hide)), hide);
      } catch (error) {
        throw hideInThrown(error, hide);
      }
    },
  };
}

function hideInReading(read: InputReading, hide: Hide): InputReading {
  return read.success ? read : { success: false, reasons: read.reasons.map(hide) };
}

function quieter(context: ToolContext, hide: Hide): ToolContext {
  const { events } = context;
  const progress: ToolContext['events']['progress'] = ({ message, ...far }) =>
    events.progress({ ...far, ...(message !== undefined && { message: hide(message) }) });
  return { ...context, events: { progress } };
}

function hideInReturn(returned: ToolReturn, hide: Hide): ToolReturn {
  const { outputs } = returned;
  return {
    ...returned,
    result: hideInJson(returned.result as unknown as JsonValue, hide) as unknown as ToolReturn['result'],
    ...(outputs !== undefined && { outputs: outputs.map((output) => hideInOutput(output, hide)) }),
  };
}

function hideInOutput(output: Output, hide: Hide): Output {
  if (output.type !== 'blob') return hideInJson(output as JsonObject, hide) as unknown as Output;
  const named = { ...output, filename: hide(output.filename), mimeType: hide(output.mimeType) };
  // One character for each byte: what is no text stays as it is.
  const bytes = Buffer.from(output.base64, 'base64').toString('latin1');
  const shown = hide(bytes);
  return shown === bytes ? named : { ...named, base64: Buffer.from(shown, 'latin1').toString('base64') };
}

/** What is deeper than anybody reads is left out. */
function hideInJson(value: JsonValue, hide: Hide, levels = MAX_JSON_DEPTH): JsonValue {
  if (typeof value === 'string') return hide(value);
  const inside = (item: JsonValue): JsonValue => (levels === 0 ? null : hideInJson(item, hide, levels - 1));
  if (Array.isArray(value)) return value.map((item) => inside(item as JsonValue));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), inside(item)]));
}

const LONGEST_CHAIN = 10;

/** The same error, so that whoever judges it by its class, code and cause judges as before. */
function hideInThrown<Thrown>(thrown: Thrown, hide: Hide): Thrown {
  if (thrown instanceof PassingFailure) {
    const { answer, status, cause } = thrown;
    return new PassingFailure(hideInReturn(answer, hide), status, {
      cause: hideInThrown(cause, hide),
    }) as Thrown;
  }
  let error: unknown = thrown;
  for (let depth = 0; error instanceof Error && depth < LONGEST_CHAIN; depth += 1) {
    error.message = hide(error.message);
    if (error.stack !== undefined) error.stack = hide(error.stack);
    error = error.cause;
  }
  return thrown;
}
