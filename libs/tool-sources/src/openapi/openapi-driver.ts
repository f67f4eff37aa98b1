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
import { DocumentFault } from './document-fault.js';
import { LoadedServices, type LoadedService } from './loaded-services.js';
import type { Operation } from './operation.js';

/** The longest that one request may take (3.I-12). */
const LONGEST_REQUEST_MS = 30_000;
/** Bytes of one answer (3.I-12). */
const MOST_READ_BYTES = 10 * 1_024 * 1_024;
const MOST_WARNINGS = 20;

/** Makes tools of the operations of an HTTP service, by its OpenAPI description (S4-10, 3.I-12). Nothing is connected to. */
export class OpenApiDriver extends ToolServerDriver {
  private readonly services = new LoadedServices();

  constructor(private readonly client: Pick<GuardedClient, 'fetchFor'>) {
    super();
  }

  override open(server: ToolServer, credentials: ServerCredentials): Promise<OpenedServer> {
    return Promise.resolve().then(() => {
      if (server.type !== 'openapi')
        throw new ToolServerFailure('unsupported', `a server of the type ${server.type} has no description`);
      return this.openDescribed(server, credentials);
    });
  }

  private openDescribed(server: ToolServerOf<'openapi'>, credentials: ServerCredentials): OpenedServer {
    const loaded = this.load(server);
    const sentTokens = new Set<string>();
    const fetchGuarded = this.client.fetchFor({
      tenantId: server.tenantId,
      headersTimeoutMs: LONGEST_REQUEST_MS,
      mostReadBytes: MOST_READ_BYTES,
      redirectScope: 'same_host',
      // What may be repeated may lose a connection; anything else gets one of its own.
      needsOwnConnection: (_url, init) => !['GET', 'HEAD', 'PUT', 'DELETE'].includes(init?.method ?? 'GET'),
    });
    const { base_url: baseUrl } = server.config;
    const { access } = credentials;
    const calling: CallingService = {
      baseUrl: baseUrl ?? null,
      schemes: loaded.service.schemes,
      credentials,
      timeoutMs: Math.min(LONGEST_REQUEST_MS, server.limits.timeout_ms),
      fetch:
        access === undefined || baseUrl === undefined
          ? fetchGuarded
          : authorizedFetch(fetchGuarded, access, baseUrl, (token) => sentTokens.add(token)),
      sentTokens,
    };
    const warnings = [...loaded.service.faults];
    const tools = loaded.service.operations.flatMap((operation) => {
      try {
        for (const loss of loaded.prepare(operation).arguments.losses)
          warnings.push(`${operation.name}: its body ${loss}`);
        return [toTool(operation, loaded, server, calling)];
      } catch (error) {
        if (!(error instanceof DocumentFault)) throw error;
        warnings.push(error.message);
        return [];
      }
    });
    return { tools, warnings: warnings.slice(0, MOST_WARNINGS), close: () => Promise.resolve() };
  }

  private load(server: ToolServerOf<'openapi'>): LoadedService {
    try {
      return this.services.get(server);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      throw new ToolServerFailure('document', error.message, { cause: error });
    }
  }
}

function toTool(
  operation: Operation,
  loaded: LoadedService,
  server: ToolServerOf<'openapi'>,
  calling: CallingService,
): ServerTool {
  const { name, description } = operation;
  const prepared = loaded.prepare(operation);
  const declared = Object.hasOwn(server.tools, name) ? server.tools[name]?.effect : undefined;
  const called = { operation, arguments: prepared.arguments, effect: declared ?? operation.effect };
  return {
    name,
    label: name,
    description,
    effect: operation.effect,
    inputSchema: prepared.arguments.inputSchema,
    readInput: prepared.readInput,
    timeoutMs: calling.timeoutMs,
    run: (input, context) => callOperation(called, input as JsonObject, calling, context),
  };
}
