import { describe, expect, it } from '@jest/globals';
import {
  judgeClocks,
  judgeDatabase,
  judgeDisk,
  judgeModelKeys,
  judgePooler,
  judgePorts,
  judgeRedis,
  judgeTls,
  type EnvironmentCheck,
  type SeenDatabase,
} from './environment-checks.ts';

const DIRECT: SeenDatabase = { version: '18.1', isDirect: true, isEncrypted: false, now: 0, migrations: 12 };
const POOLED: SeenDatabase = { ...DIRECT, isDirect: false };
const FAR = 'postgres://u:p@db.example.com/capstan';
const NEAR = 'postgres://u:p@localhost/capstan';
const GIB = 1_073_741_824;

const database = (seen: Parameters<typeof judgeDatabase>[0], at: number): EnvironmentCheck =>
  judgeDatabase(seen)[at] ?? { name: '', outcome: 'ok', found: '', advice: null };

describe('the environment of a service', () => {
  it.each<[string, EnvironmentCheck, EnvironmentCheck['outcome'], string]>([
    ['a database', database(DIRECT, 0), 'ok', ''],
    ['no address of one', database(null, 0), 'failed', 'postgres://'],
    ['one that does not answer', database(new Error('refused'), 0), 'failed', 'Is PostgreSQL up'],
    ['an old one', database({ ...DIRECT, version: '13.4' }, 0), 'failed', 'Upgrade'],
    ['a migrated one', database(DIRECT, 1), 'ok', ''],
    ['an empty one', database({ ...DIRECT, migrations: null }, 1), 'failed', 'capstan migrate'],
    ['no pooler', judgePooler(DIRECT, null), 'ok', ''],
    ['a pooler alone', judgePooler(POOLED, null), 'failed', 'DATABASE_DIRECT_URL'],
    ['a pooler with a way past it', judgePooler(POOLED, DIRECT), 'ok', ''],
    ['two poolers', judgePooler(POOLED, POOLED), 'failed', 'PostgreSQL itself'],
    ['a way past it that fails', judgePooler(POOLED, new Error('refused')), 'failed', 'DATABASE_DIRECT_URL'],
    ['no Redis', judgeRedis(null), 'ok', ''],
    ['Redis that keeps', judgeRedis('noeviction'), 'ok', ''],
    ['Redis that evicts', judgeRedis('allkeys-lru'), 'failed', 'noeviction'],
    ['Redis that does not answer', judgeRedis(new Error('refused')), 'failed', 'REDIS_URL'],
    [
      'TLS on this machine',
      judgeTls({ DATABASE_URL: NEAR, REDIS_URL: 'redis://127.0.0.1' }, false),
      'ok',
      '',
    ],
    [
      'TLS to another one',
      judgeTls({ DATABASE_URL: FAR, REDIS_URL: 'rediss://r.example.com' }, true),
      'ok',
      '',
    ],
    ['no TLS to a database', judgeTls({ DATABASE_URL: FAR }, false), 'warning', 'sslmode=verify-full'],
    ['no TLS to Redis', judgeTls({ REDIS_URL: 'redis://r.example.com' }, true), 'warning', 'rediss://'],
    ['clocks', judgeClocks(1_000, 2_000), 'ok', ''],
    ['clocks that differ', judgeClocks(0, 6_000), 'warning', 'NTP'],
    ['a model key', judgeModelKeys({ ANTHROPIC_API_KEY: 'k' }), 'ok', ''],
    ['an empty one', judgeModelKeys({ OPENAI_API_KEY: '' }), 'warning', 'OPENAI_API_KEY'],
    ['ports', judgePorts({ PORT: 3000 }, [8080]), 'ok', ''],
    ['a port that is taken', judgePorts({ PORT: 3000, WORKER_PORT: 3001 }, [3001]), 'warning', 'WORKER_PORT'],
    ['disk', judgeDisk('/data', 40 * GIB), 'ok', ''],
    ['little of it', judgeDisk('/data', GIB), 'warning', 'FILES_ROOT'],
    ['next to none', judgeDisk('/data', 1_000), 'failed', 'FILES_ROOT'],
    ['no folder', judgeDisk('/data', new Error('ENOENT')), 'failed', 'Make the folder'],
  ])('is judged, with a remedy where it lacks something: %s', (_name, check, outcome, advice) => {
    expect([check.outcome, check.advice ?? '']).toEqual([outcome, expect.stringContaining(advice)]);
    expect(check.advice === null).toBe(outcome === 'ok');
  });

  it('shows no key and no password', () => {
    const checks = [judgeModelKeys({ OPENAI_API_KEY: 'sk-secret' }), judgeTls({ DATABASE_URL: FAR }, false)];
    expect(JSON.stringify(checks)).not.toMatch(/sk-secret|u:p/);
  });
});
