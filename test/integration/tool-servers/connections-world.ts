import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { ConnectionGrantStore, ToolServerStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { ServerAccess } from '#libs/tool-sources';
import type { AccessTokens } from '#libs/tooling';
import { SealedConnections } from '../../../apps/worker/src/connections/sealed-connections.js';
import { openToolServer } from '../../../apps/worker/src/tool-servers/tool-server-repository.js';
import { createWorkerApp, WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { AuthorizationServer } from '../../support/oauth/authorization-server.js';
import { MemoryClientTokens } from '../../support/oauth/client-token-shelf.js';
import { serveProtectedMcp, type ProtectedMcp } from '../../support/oauth/protected-mcp.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { ask, type Answer } from '../api/http-client.js';

export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
export const CANARY = 'sk-canary-of-a-client';
/** Environment of API and worker. */
export const CONNECTIONS_ENV = { ENCRYPTION_KEY, PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*,*:localhost:*' };
/** Text for the model or a person if the user has to connect first. */
export const NEEDED = /the user on whose behalf it is called has to connect/;
export const REDIRECT = 'https://app.example.com/connected?kept=1';

/** A real API, a real worker, a tool server that requires a token, and an authorization server that issues tokens. */
export class ConnectionsWorld {
  private constructor(
    readonly database: TestDatabase,
    readonly api: RunningApi,
    /** Null if the test starts its own workers. */
    private readonly worker: INestApplicationContext | null,
    readonly authorization: AuthorizationServer,
    readonly served: ProtectedMcp,
  ) {}

  static async open(
    options: { readonly withWorker: boolean } = { withWorker: true },
  ): Promise<ConnectionsWorld> {
    const database = await createSeededDatabase();
    const authorization = await AuthorizationServer.start();
    authorization.clients.set('us', { secret: CANARY, redirectUris: [REDIRECT] });
    const served = await serveProtectedMcp(authorization);
    const env = { DATABASE_URL: database.url, ...CONNECTIONS_ENV };
    const api = await startApi(env);
    const config = parseEnv({ NODE_ENV: 'test', WORKER_PORT: '0', ...env });
    const logger = pino(
      { level: 'debug' },
      { write: (line: string) => void (api.log as string[]).push(line) },
    );
    const worker = options.withWorker
      ? await createWorkerApp(config, logger, WorkerModule.forRoot(config, logger))
      : null;
    return new ConnectionsWorld(database, api, worker, authorization, served);
  }

  async close(): Promise<void> {
    await this.worker?.close();
    await this.api.app.close();
    await this.served.close();
    await this.authorization.close();
    await this.database.drop();
  }

  async makeServer(auth: object = {}, name = 'crm'): Promise<string> {
    const known = {
      ...{ type: 'oauth', grant: 'authorization_code', issuer: this.authorization.origin },
      redirect_uri: REDIRECT,
    };
    const client = { client_auth: 'client_secret_basic', client_id: 'us', client_secret: CANARY };
    const config = { url: `${this.served.origin}/mcp`, auth: { ...known, ...client, ...auth } };
    const { status, body, text } = await ask(this.api.url, '/api/mcp-servers/', {
      json: { name, type: 'http', config, tools: { add: { effect: 'read' } } },
    });
    if (status !== 201) throw new Error(text);
    return String(body.id);
  }

  /** Begins a connection; repeats the request on `NO_WORKER` (503), because a busy machine takes long for the first one. */
  begin(server: string, user = 'mara'): Promise<Answer> {
    const json = { server_id: server, user_id: user };
    return waitFor(
      async () => {
        const answer = await ask(this.api.url, '/api/connections/', { json });
        return answer.body['code'] === 'NO_WORKER' ? null : answer;
      },
      { description: 'a worker to ask the authorization server' },
    );
  }

  /** Follows the authorize URL as a browser does; returns the query parameters of the redirect. */
  async consent({ status, body, text }: Answer): Promise<Record<string, string>> {
    if (status !== 201) throw new Error(`nobody is asked for consent: ${text}`);
    const answer = await fetch(String(body.authorize_url), { redirect: 'manual' });
    return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
  }

  callback(json: object): Promise<Answer> {
    return ask(this.api.url, '/api/connections/callback/', { json });
  }

  async connect(server: string, user = 'mara'): Promise<Answer> {
    return this.callback(await this.consent(await this.begin(server, user)));
  }

  /** Calls a tool on behalf of a user; returns the outcome and the output. */
  async call(user: string | undefined, name = 'crm'): Promise<[unknown, unknown]> {
    const json = { input: { a: 2, b: 3 }, ...(user !== undefined && { user_id: user }) };
    const { body } = await ask(this.api.url, `/api/tools/mcp__${name}__add/try/`, { json });
    return [body.outcome, body.output];
  }

  /** The access tokens of a user as another process would read and renew them. */
  async tokensOf(
    server: string,
    user: string,
  ): Promise<{ tokens: AccessTokens; close: () => Promise<void> }> {
    const { dataSource } = this.api;
    const box = new SecretBox(parseKeyring(ENCRYPTION_KEY));
    const row = await new ToolServerStore(dataSource).findSealed('default', server);
    if (row === null) throw new Error('there is no server');
    const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
    const access = new ServerAccess({
      ...{ client, clientTokens: new MemoryClientTokens() },
      connections: new SealedConnections(new ConnectionGrantStore(dataSource), box),
    });
    const tokens = access.to(openToolServer(row, box), { user_id: user });
    if (tokens === null) throw new Error('the server wants no tokens');
    return { tokens, close: () => client.close() };
  }

  /** Lets every access token expire in one second. */
  async age(): Promise<void> {
    await this.api.dataSource.query(
      `UPDATE connection
          SET token_issued_at = now() - interval '1 hour', token_expires_at = now() + interval '1 second'`,
    );
  }

  /** Restores the state after `open`, with a new server; returns the server's id. */
  async reset(): Promise<string> {
    const { authorization, served, api } = this;
    await api.dataSource.query('DELETE FROM tool_server');
    await api.dataSource.query('DELETE FROM background_task');
    authorization.forgetAll();
    Object.assign(authorization, {
      expiresIn: 3_600,
      tokenAnswer: null,
      metadata: {},
      rotates: true,
      instead: {},
    });
    authorization.beforeTokenAnswer = () => Promise.resolve();
    authorization.beforeRevocationAnswer = () => Promise.resolve();
    authorization.tokenRequests.length = 0;
    authorization.revoked.length = 0;
    Object.assign(served, { neededScope: '', resource: {} });
    served.seen.length = 0;
    return this.makeServer();
  }

  async read(id: unknown): Promise<Record<string, unknown>> {
    return (await ask(this.api.url, `/api/connections/${String(id)}/`)).body;
  }
}
