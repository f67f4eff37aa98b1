import { parseApiKey, SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { createKey } from './api-keys.js';
import { ask, type Answer, type RequestOptions } from './http-client.js';

export function idOf(key: string): string {
  return parseApiKey(key)?.id ?? '';
}

/** Two API processes on one database, with one key of every scope. */
export class KeyWorld {
  /** The key of every scope. */
  admin = '';

  private constructor(
    private readonly database: TestDatabase,
    readonly api: RunningApi,
    readonly other: RunningApi,
  ) {}

  static async open(): Promise<KeyWorld> {
    const database = await createSeededDatabase();
    const start = (): Promise<RunningApi> => startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
    const [api, other] = await Promise.all([start(), start()]);
    return new KeyWorld(database, api, other);
  }

  /** Deletes all keys and creates a new `admin`. */
  async refresh(): Promise<void> {
    await this.api.dataSource.query('DELETE FROM api_key');
    this.admin = await this.createKey(SCOPES);
  }

  async close(): Promise<void> {
    await Promise.all([this.api.app.close(), this.other.app.close()]);
    await this.database.drop();
  }

  createKey(scopes: readonly string[], tenantId?: string): Promise<string> {
    return createKey(this.api.dataSource, scopes, tenantId);
  }

  askAs(key: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const headers = { ...options.headers, authorization: `Bearer ${key}` };
    return ask(this.api.url, path, { ...options, headers });
  }

  make(fields: object, as = this.admin): Promise<Answer> {
    return this.askAs(as, '/api/api-keys/', { json: fields });
  }

  act(id: string, action: string, options: RequestOptions = {}, as = this.admin): Promise<Answer> {
    return this.askAs(as, `/api/api-keys/${id}/${action}/`, { method: 'POST', ...options });
  }

  async statusAt(running: RunningApi, key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await ask(running.url, '/api/agents/', { headers })).status;
  }
}
