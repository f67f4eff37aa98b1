import { isJsonObject, MAX_JSON_DEPTH, type JsonObject, type JsonValue } from '#libs/kernel';
import {
  AccessTokens,
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

/** Credentials sent to one server, for redaction of its answers. */
export class SentCredentials {
  /** Credentials for the driver; they record the access tokens handed out. */
  readonly credentials: ServerCredentials;
  private readonly accessTokens = new Set<string>();
  private known: { readonly tokens: number; readonly hide: Hide } | null = null;

  constructor(private readonly given: ServerCredentials) {
    const { access } = given;
    const note = (token: string) => this.accessTokens.add(token);
    this.credentials = access === undefined ? given : { ...given, access: new NotedTokens(access, note) };
  }

  /** True if no secrets are sent to the server. */
  get isEmpty(): boolean {
    return this.given.access === undefined && hideSecrets(this.given) === null;
  }

  /** Redacts all credentials sent so far. */
  readonly hide: Hide = (text) => {
    const tokens = this.accessTokens.size;
    if (this.known?.tokens !== tokens)
      this.known = { tokens, hide: hideSecrets(this.given, this.accessTokens) ?? ((same) => same) };
    return this.known.hide(text);
  };

  /** Records the current access token: another run may have sent it on a shared connection. */
  async noteCurrent(signal: AbortSignal): Promise<void> {
    const { access } = this.given;
    if (access === undefined || signal.aborted) return;
    const current = await access.current(signal).catch(() => null);
    if (current !== null) this.accessTokens.add(current);
  }
}

class NotedTokens extends AccessTokens {
  readonly holder: string;

  constructor(
    private readonly access: AccessTokens,
    private readonly note: (token: string) => void,
  ) {
    super();
    this.holder = access.holder;
  }

  override async current(signal: AbortSignal): Promise<string> {
    return this.noted(await this.access.current(signal));
  }

  override async renew(...asked: Parameters<AccessTokens['renew']>): Promise<string> {
    return this.noted(await this.access.renew(...asked));
  }

  private noted(token: string): string {
    this.note(token);
    return token;
  }
}

/**
 * Wraps an opened server so that its credentials are redacted everywhere it may repeat them: descriptions, schemas,
 * warnings, results, files, progress and errors. Must be the outermost wrapper: callers store and show the result.
 */
export async function withoutCredentials(
  opened: OpenedServer,
  sent: SentCredentials,
  signal: AbortSignal,
): Promise<OpenedServer> {
  if (sent.isEmpty) return opened;
  await sent.noteCurrent(signal);
  const { hide } = sent;
  const tools = opened.tools.filter(({ name }) => hide(name) === name);
  const leftOut = tools.length === opened.tools.length ? [] : [LEFT_OUT];
  return {
    tools: tools.map((tool) => hideInTool(tool, sent)),
    warnings: [...opened.warnings.map(hide), ...leftOut],
    close: () => opened.close(),
  };
}

/** Redacts the rejection of an opening. */
export function failureWithoutCredentials(
  failure: ToolServerFailure,
  sent: SentCredentials,
): ToolServerFailure {
  return hideInThrown(failure, sent.hide);
}

const LEFT_OUT = 'a tool that is named like a credential is left out';

function hideInTool(tool: ServerTool, sent: SentCredentials): ServerTool {
  const { readInput } = tool;
  const { hide } = sent;
  return {
    ...tool,
    // Refusal reasons quote the tool's schema.
    ...(readInput !== undefined && { readInput: (input) => hideInReading(readInput(input), hide) }),
    label: hide(tool.label),
    description: hide(tool.description),
    inputSchema: hideInJson(tool.inputSchema, hide) as JsonObject,
    run: async (input, context) => {
      try {
        const returned = await tool.run(input, quieter(context, hide));
        await sent.noteCurrent(context.signal);
        return hideInReturn(returned, hide);
      } catch (error) {
        await sent.noteCurrent(context.signal);
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
  // Latin-1 maps each byte to one character, so binary data survives unchanged.
  const bytes = Buffer.from(output.base64, 'base64').toString('latin1');
  const shown = hide(bytes);
  return shown === bytes ? named : { ...named, base64: Buffer.from(shown, 'latin1').toString('base64') };
}

/** Drops values nested deeper than the limit of stored JSON. */
function hideInJson(value: JsonValue, hide: Hide, levels = MAX_JSON_DEPTH): JsonValue {
  if (typeof value === 'string') return hide(value);
  const inside = (item: JsonValue): JsonValue => (levels === 0 ? null : hideInJson(item, hide, levels - 1));
  if (Array.isArray(value)) return value.map((item) => inside(item as JsonValue));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), inside(item)]));
}

const MAX_CHAIN = 10;

/** Redacts the same error object, so that its class, code and cause stay intact for classification. */
function hideInThrown<Thrown>(thrown: Thrown, hide: Hide): Thrown {
  if (thrown instanceof PassingFailure) {
    const { answer, status, cause } = thrown;
    return new PassingFailure(hideInReturn(answer, hide), status, {
      cause: hideInThrown(cause, hide),
    }) as Thrown;
  }
  let error: unknown = thrown;
  for (let depth = 0; error instanceof Error && depth < MAX_CHAIN; depth += 1) {
    error.message = hide(error.message);
    if (error.stack !== undefined) error.stack = hide(error.stack);
    error = error.cause;
  }
  return thrown;
}
