import pg from 'pg';
import { createDataSource, prepareVectorIndexTable } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { openPgvector } from '../../../scripts/postgres/pgvector.ts';

/** A migrated database with pgvector: PGlite, or in the server that `PGVECTOR_URL` names. */
export class PgvectorDatabase {
  private constructor(
    /** With PGlite a single connection, because it has one session. */
    readonly dataSource: DataSource,
    private readonly url: string,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(): Promise<PgvectorDatabase> {
    const { url, poolSize, stop } = await openPgvector();
    const dataSource = await createDataSource({ url, poolSize }).initialize();
    await dataSource.runMigrations();
    await insertGrounds(dataSource);
    const database = new PgvectorDatabase(dataSource, url, stop);
    await database.prepare();
    return database;
  }

  /** Prepares the database as `migrate` does. */
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
