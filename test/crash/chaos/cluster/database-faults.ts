import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from './postgres-server.js';

/** Faults that an operator causes in the service's database, connected as the administrator without any proxy. */
export class DatabaseFaults {
  constructor(private readonly adminUrl: string) {}

  /** Terminates all connections but its own. */
  async disconnectAll(): Promise<void> {
    await this.ask(disconnectOthers);
  }

  async makeReadOnly(ms: number): Promise<void> {
    await this.ask(async (client) => {
      await client.query(`ALTER DATABASE ${DATABASE} SET default_transaction_read_only = on`);
      await disconnectOthers(client);
    });
    await delay(ms);
    await this.ask(async (client) => {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER DATABASE ${DATABASE} RESET default_transaction_read_only`);
      await disconnectOthers(client);
    });
  }

  async lockExecutions(ms: number): Promise<void> {
    await this.ask(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE execution IN ACCESS EXCLUSIVE MODE');
      await delay(ms);
      await client.query('COMMIT');
    });
  }

  /** The limit does not apply to an administrator; the service's role is none. */
  async limitConnections(ms: number): Promise<void> {
    await this.ask(async (client) => {
      await client.query(`ALTER DATABASE ${DATABASE} CONNECTION LIMIT 2`);
      await disconnectOthers(client);
    });
    await delay(ms);
    await this.ask((client) => client.query(`ALTER DATABASE ${DATABASE} CONNECTION LIMIT -1`));
  }

  async truncateQueue(): Promise<void> {
    await this.ask(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
          WHERE schemaname = 'bullmq' AND tablename NOT LIKE '%migration%'`,
      );
      await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
    });
  }

  private async ask(question: (client: Client) => Promise<unknown>): Promise<void> {
    await withClient(this.adminUrl, question);
  }
}

export const DATABASE = 'chaos';

async function disconnectOthers(client: Client): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}
