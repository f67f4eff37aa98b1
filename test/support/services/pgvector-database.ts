import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createDataSource, prepareVectorIndexTable } from '#libs/persistence';
import type { DataSource } from 'typeorm';

const PROGRAM = fileURLToPath(new URL('../../../scripts/postgres/pglite-program.mjs', import.meta.url));

/** A migrated database with pgvector, which the PostgreSQL that npm brings does not have: PGlite, behind a socket. */
export class PgvectorDatabase {
  private constructor(
    /** One connection: there is one session. */
    readonly dataSource: DataSource,
    private readonly url: string,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(): Promise<PgvectorDatabase> {
    const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
    await dataSource.runMigrations();
    await insertGrounds(dataSource);
    const database = new PgvectorDatabase(dataSource, url, async () => {
      child.stdin.end();
      await ended;
    });
    await database.prepare();
    return database;
  }

  /** As `migrate` does it. */
  async prepare(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await prepareVectorIndexTable(client);
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.stop();
  }
}

async function insertGrounds(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `INSERT INTO tenant (id, name) VALUES ('default', 'Default') ON CONFLICT DO NOTHING`,
  );
  await dataSource.query(
    `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'Any', 'openai', 'any')`,
  );
}
