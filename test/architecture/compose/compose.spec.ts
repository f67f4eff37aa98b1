import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { chosen } from '../../support/selection.js';
import { ROOT } from '../repository-files.js';

interface Resolved {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string | null>> }>
  >;
}

const SETTINGS = [
  ...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm),
].map(([, name = '']) => name);
const OURS = ['api', 'worker', 'migrate'] as const;
const DEMANDED = { POSTGRES_PASSWORD: 'p1', REDIS_PASSWORD: 'r1', ENCRYPTION_KEY: 'k1:AAAA' };

/** Settings that every container gets with these values, regardless of `.env` and of the shell. */
const OF_THE_CONTAINERS = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  PORT: '3000',
  METRICS_PORT: '9464',
  WORKER_PORT: '3001',
  AUTH: 'api-key',
  REDIS_URL: 'redis://:r1@redis:6379',
};

const folder = mkdtempSync(join(tmpdir(), 'capstan-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Environment of each service's container as Compose resolves it from `.env` and the shell's variables. */
function resolve(env: object, shell: Readonly<Record<string, string>> = {}): Resolved['services'] {
  copyFileSync(join(ROOT, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  const lines = Object.entries(env).map(([name, value]) => `${name}=${String(value)}`);
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`);
  const text = execFileSync('docker-compose', ['--profile', 'simulator', 'config'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...shell },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return (parse(text) as Resolved).services;
}

const describeWithCompose = isInstalled() || (process.env['CI'] ?? '') !== '' ? describe : describe.skip;

function isInstalled(): boolean {
  try {
    execFileSync('docker-compose', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describeWithCompose('a container of Compose', () => {
  it('gets every setting that .env.example explains, but for those that belong to the containers', () => {
    const set = Object.fromEntries(SETTINGS.map((name) => [name, `set-${name}`]));
    const services = resolve({ ...set, ...DEMANDED });
    const expected = { ...set, ...DEMANDED, ...OF_THE_CONTAINERS, PGPASSWORD: 'p1' };
    expect(SETTINGS.length).toBeGreaterThan(80);
    for (const name of OURS) expect([name, services[name]?.environment]).toEqual([name, expected]);
  });

  it('finds the database of this file, a place for documents, and no provider demanded, with secrets alone', () => {
    const services = resolve(DEMANDED);
    for (const name of OURS) {
      expect(services[name]?.environment).toMatchObject({
        DATABASE_URL: 'postgres://capstan@postgres:5432/capstan',
        PGPASSWORD: 'p1',
        DOCUMENTS_ROOT: '/documents',
        UPLOADS_MB: '200',
        INGEST_CONCURRENCY: '1',
      });
      expect(services[name]?.environment?.['OPENAI_API_KEY'] ?? null).toBeNull();
    }
  });

  it('takes the model and its provider from the shell before .env', () => {
    const shell = { OPENAI_API_KEY: 'simulator', OPENAI_BASE_URL: 'http://simulator', DEFAULT_MODEL: 'sim' };
    const { worker } = resolve({ ...DEMANDED, DEFAULT_MODEL: 'of-the-file' }, shell);
    expect(worker?.environment).toMatchObject(shell);
  });

  it('gets no secret as the simulator', () => {
    expect(resolve(DEMANDED)['simulator']?.environment ?? {}).toEqual({});
  });

  it.each(chosen(Object.keys(DEMANDED), (name) => name === 'ENCRYPTION_KEY'))(
    'is not made without %s',
    (name) => {
      expect(() => resolve({ ...DEMANDED, [name]: '' })).toThrow(`set ${name} to`);
    },
  );
});
