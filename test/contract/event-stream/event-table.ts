import { Client } from 'pg';

/** Creates the table of the PostgreSQL adapter in an empty database. */
export async function createEventTable(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create unlogged table execution_event (
      execution_id uuid not null,
      sequence int not null,
      event text not null,
      data json not null,
      created_at timestamptz not null default now(),
      primary key (execution_id, sequence)
    )`);
  await client.end();
}
