import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import getPort from 'get-port';
import { Client } from 'pg';
import { initialiseCluster } from './cluster.ts';
import { postgresPrograms } from './programs.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from './server.ts';

describe('embedded PostgreSQL', () => {
  let home: string;
  let preferredPort: number;
  const leftovers: (() => void)[] = [];

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'capstan-embedded-'));
    chmodSync(home, 0o755);
  });
  beforeEach(async () => {
    preferredPort = await getPort({ host: '127.0.0.1' });
  });
  afterEach(() => {
    for (const end of leftovers.splice(0)) end();
  });
  afterAll(async () => {
    await stopEmbeddedPostgres(home);
    rmSync(home, { recursive: true, force: true });
  });

  const start = () => startEmbeddedPostgres({ home, preferredPort, settings: { fsync: 'off' } });
  const ask = async (url: string, question: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
    await client.end();
    return rows.flat();
  };

  it('joins the server that already runs on the same folder, as a killed parent leaves it', async () => {
    const first = await start();

    const second = await start();

    expect(second).toMatchObject({ wasRunning: true, pid: first.pid, url: first.url });
  });

  it('knows the letters of every language and sorts the same everywhere', async () => {
    const { url } = await start();

    const answers = await ask(
      url,
      `SELECT current_setting('server_encoding'), lower('ÄÖ'), 'ö' > 'z', 'りんご' ~ '^[[:alpha:]]+$'`,
    );

    expect(answers).toEqual(['UTF8', 'äö', true, true]);
  });

  it('is gone after stop, and starts again with its data', async () => {
    const before = await start();
    await ask(before.url, 'CREATE TABLE kept AS SELECT 7 AS n');

    await before.stop();
    const asked = ask(before.url, 'SELECT 1');
    await expect(asked).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const after = await start();

    expect(after.wasRunning).toBe(false);
    expect(await ask(after.url, 'SELECT n FROM kept')).toEqual([7]);
  });

  it('starts although postmaster.pid names another process', async () => {
    const before = await start();
    await before.stop();
    // With the same account: PostgreSQL itself detects a process of another one.
    const { uid, gid } = statSync(before.dataDirectory);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', uid, gid });
    leftovers.push(() => stranger.kill());
    await once(stranger, 'spawn');
    writeFileSync(
      join(before.dataDirectory, 'postmaster.pid'),
      `${stranger.pid}\n${before.dataDirectory}\n0\n5432\n\n127.0.0.1\n`,
    );

    const server = await start();

    expect(server.wasRunning).toBe(false);
    expect(stranger.exitCode).toBeNull();
  });

  it('takes the next port when its own is in use', async () => {
    await stopEmbeddedPostgres(home);
    const holder = createServer().listen(preferredPort, '127.0.0.1');
    leftovers.push(() => holder.close());
    await once(holder, 'listening');

    const server = await start();

    expect(server.port).toBeGreaterThan(preferredPort);
  });

  // Only root can start a process as another account.
  const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
  itAsRoot('says what to do where its account has no name on this machine', async () => {
    const nameless = { uid: 54_321, gid: 54_321 };

    const making = initialiseCluster({
      programs: postgresPrograms(nameless),
      account: nameless,
      dataDirectory: join(home, 'nameless'),
      user: 'postgres',
      password: 'secret',
    });

    await expect(making).rejects.toThrow(
      /^The embedded PostgreSQL needs an account with a name, and 54321 has none: .* or set DATABASE_URL to a PostgreSQL of yours\.$/,
    );
  });

  it('says what the server said when it cannot start', async () => {
    await stopEmbeddedPostgres(home);

    const starting = startEmbeddedPostgres({ home, preferredPort, settings: { max_connections: 'many' } });

    await expect(starting).rejects.toThrow('invalid value for parameter "max_connections"');
  });
});
