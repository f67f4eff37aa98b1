import { createHash } from 'node:crypto';
import { isJsonObject, type Timers } from '#libs/kernel';
import {
  changedToolText,
  errorResult,
  PassingFailure,
  ToolServerDriver,
  ToolServerFailure,
  type OpenedServer,
  type ServerCredentials,
  type ServerTool,
  type ToolContext,
  type ToolReturn,
  type ToolServer,
  type ToolSourceContext,
} from '#libs/tooling';
import { listTools } from './list-tools.js';
import type { McpConnection, McpConnector, McpServer } from './mcp-connection.js';
import { answerOf, tooLate, unusable } from './failed-call.js';
import { McpFailure, serverFailureBehind, toServerFailure } from './mcp-failure.js';
import { readResult } from './read-result.js';
import type { OfferedTool } from './read-tools.js';
import type { Holder, PoolLimits } from './pooled-connection.js';
import { SessionPool } from './session-pool.js';
import { Warnings } from './warnings.js';

export interface McpDriverOptions {
  readonly connector: McpConnector;
  readonly limits?: PoolLimits;
  readonly timers: Timers;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const LIMITS: PoolLimits = { most: 500, mostPerTenant: 50, idleMs: 60_000, longestMs: 600_000 };

/**
 * A repeatable call is aborted at this fraction of its timeout, which leaves time to report the failure. Other calls
 * are awaited to the end, since a late answer still settles the outcome.
 */
const PART_OF_TIME = 0.97;

/** Key in `_meta` for the idempotency key, which is equal for all attempts at one call and unique to it. */
const IDEMPOTENCY_META = 'capstan/idempotencyKey';

/** Driver for MCP servers of all tenants, with pooled connections. */
export class McpDriver extends ToolServerDriver {
  private readonly connector: McpConnector;
  private readonly sessions: SessionPool<McpConnection>;

  constructor({ connector, limits = LIMITS, timers, now }: McpDriverOptions) {
    super();
    this.connector = connector;
    this.sessions = new SessionPool(limits, timers, now);
  }

  /** Number of pooled connections. */
  get connections(): number {
    return this.sessions.size;
  }

  override async open(
    server: ToolServer,
    credentials: ServerCredentials,
    run: ToolSourceContext | null,
    signal: AbortSignal,
  ): Promise<OpenedServer> {
    if (server.type === 'openapi' || server.type === 'builtin')
      throw new ToolServerFailure('unsupported', 'the server does not speak MCP');
    const holder = this.sessions.hold({
      tenantId: server.tenantId,
      key: keyOf(server, credentials),
      runId: run?.executionId ?? null,
      connect: (connecting) => this.connector.connect(server, credentials, connecting),
    });
    const opened = new OpenedMcpServer(server, holder);
    try {
      await opened.list(signal);
      return opened;
    } catch (error) {
      await opened.close();
      throw toServerFailure(error);
    }
  }

  /** Closes all sessions and processes. */
  async close(): Promise<void> {
    await this.sessions.close();
  }
}

/** Pool key: runs with equal keys may share a connection. Secrets enter only as part of a hash. */
function keyOf(server: McpServer, { headers, env, access }: ServerCredentials): string {
  const given = [access?.holder ?? null, headers, env];
  const text = JSON.stringify([server.tenantId, server.id, server.version, server.config, given]);
  return createHash('sha256').update(text).digest('base64url');
}

class OpenedMcpServer implements OpenedServer {
  tools: readonly ServerTool[] = [];
  warnings: readonly string[] = [];
  /** Fingerprint of each tool when the run began. */
  private readonly begunWith = new Map<string, string>();
  /** Last listing: its connection, tools version, and the tools unchanged since the run began. */
  private seen: { connection: McpConnection; version: number; names: ReadonlySet<string> } | null = null;

  constructor(
    private readonly server: McpServer,
    private readonly holder: Holder<McpConnection>,
  ) {}

  async list(signal: AbortSignal): Promise<void> {
    const warnings = new Warnings();
    const offered = await this.onSession(signal, (connection) => this.look(connection, signal, warnings));
    this.tools = offered.map((tool) => this.toServerTool(tool));
    this.warnings = warnings.list();
  }

  async close(): Promise<void> {
    await this.holder.close();
  }

  private toServerTool(tool: OfferedTool): ServerTool {
    const { name, label, description, inputSchema, readInput, claimedEffect } = tool;
    return {
      ...{ name, label, description, inputSchema, readInput },
      effect: 'unsafe',
      ...(claimedEffect !== null && { claimedEffect }),
      timeoutMs: this.server.limits.timeout_ms,
      run: (input, context) => this.call(tool, input, context),
    };
  }

  private async call(tool: OfferedTool, input: unknown, context: ToolContext): Promise<ToolReturn> {
    const { events, idempotencyKey } = context;
    const isRepeatable = this.isRepeatable(tool);
    const late = isRepeatable ? AbortSignal.timeout(this.server.limits.timeout_ms * PART_OF_TIME) : null;
    const signal = late === null ? context.signal : AbortSignal.any([context.signal, late]);
    const sending = { hasBegun: false };
    try {
      const answered = await this.onSession(
        signal,
        async (connection) => {
          if (!(await this.isUnchanged(tool.name, connection, signal))) return CHANGED;
          sending.hasBegun = true;
          return connection.callTool({
            name: tool.name,
            input: isJsonObject(input) ? input : {},
            meta: { [IDEMPOTENCY_META]: idempotencyKey },
            isRepeatable,
            signal,
            onProgress: (progress) => events.progress(progress),
          });
        },
        () => {
          sending.hasBegun = false;
        },
      );
      if (answered === CHANGED) return { result: errorResult(changedToolText(tool.name)) };
      return readResult(answered, tool.readOutput);
    } catch (error) {
      if (late?.aborted === true && !context.signal.aborted) return tooLate(this.server.limits.timeout_ms);
      if (sending.hasBegun) return answerOf(error, isRepeatable);
      const refusal = serverFailureBehind(error);
      const isLasting = refusal !== null && refusal.fault !== 'unreachable' && refusal.fault !== 'overloaded';
      const message = refusal?.message ?? 'the server cannot be reached';
      if (isLasting) return unusable(message);
      throw new PassingFailure(unusable(message), null, {
        cause: new McpFailure('unsent', message, { cause: error }),
      });
    }
  }

  /** Retries once with a new session if the server has lost the session, because the lost request had no effect. */
  private async onSession<Result>(
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<Result>,
    onLost: () => void = () => undefined,
  ): Promise<Result> {
    const attempt = (): Promise<Result> =>
      this.holder.use(signal, async (connection) => {
        try {
          return await work(connection);
        } catch (error) {
          if (error instanceof McpFailure && error.kind === 'session_lost') this.holder.drop(connection);
          throw error;
        }
      });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof McpFailure) || error.kind !== 'session_lost') throw error;
      onLost();
      return attempt();
    }
  }

  /**
   * True if the tool is unchanged since the run began; lists the tools again after a change notice or on another
   * connection.
   */
  private async isUnchanged(name: string, connection: McpConnection, signal: AbortSignal): Promise<boolean> {
    const { seen } = this;
    if (seen === null || seen.connection !== connection || seen.version !== connection.toolsVersion)
      await this.look(connection, signal, new Warnings());
    return this.seen?.names.has(name) === true;
  }

  private async look(
    connection: McpConnection,
    signal: AbortSignal,
    warnings: Warnings,
  ): Promise<OfferedTool[]> {
    // Read before listing: a change during the listing then triggers another one.
    const version = connection.toolsVersion;
    const offered = await listTools(connection, signal, warnings);
    if (this.seen === null) for (const tool of offered) this.begunWith.set(tool.name, tool.fingerprint);
    const same = offered.filter((tool) => this.begunWith.get(tool.name) === tool.fingerprint);
    this.seen = { connection, version, names: new Set(same.map(({ name }) => name)) };
    return offered;
  }

  private isRepeatable({ name, claimedEffect }: OfferedTool): boolean {
    const declared = this.server.tools[name]?.effect ?? 'unsafe';
    return declared !== 'unsafe' && claimedEffect !== 'unsafe';
  }
}

const CHANGED = Symbol('the tool is not what it was');
