import { bind } from './bind.js';
import type { CallOptions } from './call-options.js';
import { documentsOf } from './documents.js';
import { executionsOf } from './executions.js';
import { ApiPromise } from './api-promise.js';
import * as resources from './resources.js';
import { run, type OutputBy, type RunOptions, type RunResult } from './run.js';
import { environmentOf, settingsOf, type CapstanOptions } from './settings.js';
import type { Schema } from './standard-schema.js';
import { Transport } from './transport.js';
import type { ExecuteRequest } from './types.js';
import { unwrapWebhook } from './unwrap-webhook.js';

/** Makes what the resources of a client send their requests by. */
class Connected {
  protected readonly transport: Transport;

  constructor(options: CapstanOptions = {}) {
    this.transport = new Transport(settingsOf(options, environmentOf(globalThis)));
  }
}

/** A client of one Capstan service. It holds no connection, and may be shared. */
export class Capstan extends Connected {
  readonly agents = bind(resources.AGENTS, this.transport);
  readonly executions = executionsOf(this.transport);
  readonly sessions = bind(resources.SESSIONS, this.transport);
  readonly skills = bind(resources.SKILLS, this.transport);
  readonly memories = bind(resources.MEMORIES, this.transport);
  readonly datasources = bind(resources.DATASOURCES, this.transport);
  readonly documents = documentsOf(this.transport);
  readonly files = bind(resources.FILES, this.transport);
  readonly llms = bind(resources.LLMS, this.transport);
  readonly webhookEndpoints = bind(resources.WEBHOOK_ENDPOINTS, this.transport);
  readonly webhookDeliveries = bind(resources.WEBHOOK_DELIVERIES, this.transport);
  readonly webhookSigningSecret = bind(resources.WEBHOOK_SIGNING_SECRET, this.transport);
  readonly toolServers = bind(resources.TOOL_SERVERS, this.transport);
  readonly connections = bind(resources.CONNECTIONS, this.transport);
  readonly tools = bind(resources.TOOLS, this.transport);
  readonly managedResources = bind(resources.MANAGED_RESOURCES, this.transport);
  readonly usage = bind(resources.USAGE, this.transport);
  readonly overview = bind(resources.OVERVIEW, this.transport);
  readonly workers = bind(resources.WORKERS, this.transport);
  readonly tenants = bind(resources.TENANTS, this.transport);
  readonly apiKeys = bind(resources.API_KEYS, this.transport);
  readonly consoleSessions = bind(resources.CONSOLE_SESSIONS, this.transport);
  readonly health = bind(resources.HEALTH, this.transport);
  readonly webhooks = { unwrap: unwrapWebhook };

  /** Address of the service, without a slash at its end. */
  get baseUrl(): string {
    return this.transport.settings.baseUrl;
  }

  /**
   * Submits work for an agent and waits until it has ended, or needs a person.
   * @param input message of the user, or a whole request
   * @throws {ExecutionFailedError | ExecutionCancelledError | ExecutionIncompleteError} where there is no result
   * @throws {OutputError} where the answer does not fit `output`
   */
  run<S extends Schema | undefined = undefined>(
    agent: number,
    input: string | ExecuteRequest,
    options: RunOptions<S> = {},
  ): Promise<RunResult<OutputBy<S>>> {
    return run(this.executions, agent, input, options);
  }

  /** Asks a route that is no operation of this client, such as one of a domain; types are the caller’s. */
  request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): ApiPromise<T> {
    return new ApiPromise(this.transport.send<T>({ method, path, body, options }));
  }
}
