import { AppError } from '#libs/kernel';
import {
  serverToolPrefix,
  ToolCatalogue,
  ToolsAwayError,
  ToolServerFailure,
  ToolSource,
  type AccessTokens,
  type CompileReader,
  type OpenedServer,
  type TokenStore,
  type ToolDefinition,
  type ToolLoad,
  type ToolServer,
} from '#libs/tooling';
import { asksForTokens, fillCredentials } from './fill-credentials.js';
import { offerServerTool } from './offer-server-tool.js';
import { openServer, type ToolServerDrivers } from './open-server.js';
import { ServerSelection, serverSelectionSchema } from './server-selection.schema.js';
import type { ShelvedServer, ToolServerShelf } from './tool-server-shelf.js';

export interface TenantServersDependencies {
  readonly shelf: ToolServerShelf;
  readonly drivers: ToolServerDrivers;
  readonly tokens: Pick<TokenStore, 'read'>;
  /** Access tokens for servers that require OAuth. */
  readonly access: { to(server: ToolServer, executor: ToolLoad['executor']): AccessTokens | null };
  /** Compiles untrusted schemas. */
  readonly compileReader: CompileReader;
}

/** One server's contribution to a run. */
interface ServerOffer {
  readonly catalogues: readonly ToolCatalogue[];
  readonly warnings: readonly string[];
}

/**
 * Tools of the tenant's active servers (S4-8), selected by the agent's `tools.servers`. A server is required if the
 * agent names it or the execution was prepared with its tools: if it is unreachable, loading is retried later; if it is
 * unusable, the execution fails. Servers matched by `*` only are skipped with a warning.
 */
export class TenantServers extends ToolSource {
  constructor(private readonly deps: TenantServersDependencies) {
    super();
  }

  override async load(context: ToolLoad): Promise<ToolCatalogue> {
    const read = serverSelectionSchema.safeParse(context.agentTools['servers']);
    if (!read.success) throw unusable(read.error.issues.map(({ message }) => `servers: ${message}`));
    const selection = new ServerSelection(read.data);
    if (selection.isEmpty) return new ToolCatalogue([]);
    const active = await this.deps.shelf.listActive(context.tenantId);
    const gone = selection.namedServers.filter((name) => !active.some((server) => server.name === name));
    if (gone.length > 0) throw unusable(gone.map((name) => `there is no active tool server named ${name}`));
    const wanted = active.filter(({ name }) => selection.includesServer(name) && isPinned(name, context));
    const offers = await settleAll(wanted.map((server) => this.offer(server, selection, context)));
    const merged = ToolCatalogue.merge(offers.flatMap(({ catalogues }) => catalogues));
    const missing = selection.namedTools.filter((name) => !merged.find(name));
    if (missing.length > 0) throw unusable(missing.map((name) => `there is no tool named ${name}`));
    return merged.warning(offers.flatMap(({ warnings }) => warnings));
  }

  private async offer(
    shelved: ShelvedServer,
    selection: ServerSelection,
    context: ToolLoad,
  ): Promise<ServerOffer> {
    const { name } = shelved;
    const server = await this.deps.shelf.read(context.tenantId, shelved.id, shelved.version);
    const isNeeded = selection.namedServers.includes(name) || context.pinned !== null;
    try {
      if (server === null) throw new ToolServerFailure('unsupported', 'it is not active any more');
      return await this.open(server, selection, context);
    } catch (error) {
      if (!(error instanceof ToolServerFailure)) throw error;
      if (isNeeded) throw unavailable(name, error);
      return { catalogues: [], warnings: [`tool server ${name} is left out: ${error.message}`] };
    }
  }

  private async open(
    server: ToolServer,
    selection: ServerSelection,
    context: ToolLoad,
  ): Promise<ServerOffer> {
    const tokens = asksForTokens(server)
      ? await this.deps.tokens.read(context.tenantId, context.executionId)
      : {};
    const access = this.deps.access.to(server, context.executor);
    const credentials = { ...fillCredentials(server, tokens), ...(access !== null && { access }) };
    const opened = await openServer(this.deps.drivers, server, credentials, context, context.signal);
    context.onEnd(() => opened.close());
    const lacking = credentials.missing.map(
      (token) => `no value for the token ${token}; what needs it is not sent`,
    );
    const { catalogues, warnings } = this.catalogueOf(server, opened, selection);
    const all = [...lacking, ...opened.warnings, ...warnings];
    return { catalogues, warnings: all.map((warning) => `tool server ${server.name}: ${warning}`) };
  }

  /** Omits invalid tools and keeps the others. */
  private catalogueOf(server: ToolServer, { tools }: OpenedServer, selection: ServerSelection): ServerOffer {
    const catalogues = new Map<string, ToolCatalogue>();
    const warnings: string[] = [];
    for (const tool of tools) {
      const offered = offerServerTool(server, tool);
      if (offered === null || !selection.includesTool(server.name, offered.name)) continue;
      const catalogue = catalogues.has(offered.name) ? null : this.tryCatalogue(offered);
      if (catalogue === null) warnings.push(`the tool ${offered.name} is not usable and left out`);
      else catalogues.set(offered.name, catalogue);
    }
    return { catalogues: [...catalogues.values()], warnings: warnings.slice(0, MAX_WARNINGS) };
  }

  private tryCatalogue(tool: ToolDefinition): ToolCatalogue | null {
    try {
      return new ToolCatalogue([tool], this.deps.compileReader);
    } catch {
      return null;
    }
  }
}

const MAX_WARNINGS = 20;

/** A later attempt opens only servers with tools in the prepared run. */
function isPinned(server: string, { pinned }: ToolLoad): boolean {
  return pinned === null || pinned.some((name) => name.startsWith(serverToolPrefix(server)));
}

/** Waits for all promises before it rejects, because servers opened by the others are closed with the run. */
async function settleAll<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const PASSING: ReadonlySet<ToolServerFailure['fault']> = new Set(['unreachable', 'overloaded']);

function unavailable(name: string, failure: ToolServerFailure): AppError {
  const message = `the tool server ${name} cannot be used: ${failure.message}`;
  if (PASSING.has(failure.fault)) return new ToolsAwayError(name, message, failure);
  return new AppError({
    code: failure.fault === 'connection_needed' ? 'CONNECTION_NEEDED' : 'TOOLS_UNAVAILABLE',
    kind: 'unprocessable',
    message,
    cause: failure,
  });
}

function unusable(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the tools of the agent are not usable: ${faults.join('; ')}`,
  });
}
