import type { JsonObject } from '#libs/kernel';
import type { GuardedClient } from '#libs/guarded-fetch';
import {
  ToolServerDriver,
  ToolServerFailure,
  type OpenedServer,
  type ServerCredentials,
  type ServerTool,
  type ToolServer,
  type ToolServerOf,
} from '#libs/tooling';
import { authorizedFetch } from '../oauth/authorized-fetch.js';
import { callOperation, type CallingService } from './call-operation.js';
import type { DescriptionReader } from './apart/description-reader.js';
import { LoadedServices, type LoadedOperation } from './loaded-services.js';

/** Maximum milliseconds of one request (3.I-12). */
const MAX_REQUEST_MS = 30_000;
/** Maximum bytes of one answer (3.I-12). */
const MAX_READ_BYTES = 10 * 1_024 * 1_024;

/**
 * Turns the operations of an HTTP service into tools, from its OpenAPI description (S4-10, 3.I-12). Opening connects to
 * nothing.
 */
export class OpenApiDriver extends ToolServerDriver {
  private readonly services: LoadedServices;

  /** @param reader prepares large descriptions in another process */
  constructor(
    private readonly client: Pick<GuardedClient, 'fetchFor'>,
    reader?: Pick<DescriptionReader, 'prepare'>,
  ) {
    super();
    this.services = new LoadedServices(reader);
  }

  override async open(server: ToolServer, credentials: ServerCredentials): Promise<OpenedServer> {
    if (server.type !== 'openapi')
      throw new ToolServerFailure('unsupported', `a server of the type ${server.type} has no description`);
    const loaded = await this.services.get(server);
    if ('fault' in loaded) throw new ToolServerFailure('document', loaded.fault);
    const sentTokens = new Set<string>();
    const fetchGuarded = this.client.fetchFor({
      tenantId: server.tenantId,
      headersTimeoutMs: MAX_REQUEST_MS,
      mostReadBytes: MAX_READ_BYTES,
      redirectScope: 'same_host',
      // Retryable methods may share a connection that breaks; all others get their own.
      needsOwnConnection: (_url, init) => !['GET', 'HEAD', 'PUT', 'DELETE'].includes(init?.method ?? 'GET'),
    });
    const { base_url: baseUrl } = server.config;
    const { access } = credentials;
    const calling: CallingService = {
      baseUrl: baseUrl ?? null,
      schemes: loaded.schemes,
      credentials,
      timeoutMs: Math.min(MAX_REQUEST_MS, server.limits.timeout_ms),
      fetch:
        access === undefined || baseUrl === undefined
          ? fetchGuarded
          : authorizedFetch(fetchGuarded, access, baseUrl, (token) => sentTokens.add(token)),
      sentTokens,
    };
    const tools = loaded.operations.map((operation) => toTool(operation, server, calling));
    return { tools, warnings: loaded.warnings, close: () => Promise.resolve() };
  }
}

function toTool(
  { operation, arguments: given, readInput }: LoadedOperation,
  server: ToolServerOf<'openapi'>,
  calling: CallingService,
): ServerTool {
  const { name, description } = operation;
  const declared = Object.hasOwn(server.tools, name) ? server.tools[name]?.effect : undefined;
  const called = { operation, arguments: given, effect: declared ?? operation.effect };
  return {
    name,
    label: name,
    description,
    effect: operation.effect,
    inputSchema: given.inputSchema,
    readInput,
    timeoutMs: calling.timeoutMs,
    run: (input, context) => callOperation(called, input as JsonObject, calling, context),
  };
}
