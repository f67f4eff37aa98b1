import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../../../support/services/reserve-port.js';
import { Redis } from 'ioredis';
import type { Guardian } from './guardian.js';
import { isAlive, signal } from './processes-of.js';

const START_LIMIT_MS = 60_000;

/** A separate Redis without persistence: it loses all data when it ends. */
export class RedisServer {
  private pid = 0;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly guardian: Guardian,
  ) {}

  static async start(home: string, guardian: Guardian): Promise<RedisServer> {
    const directory = join(home, 'redis');
    mkdirSync(directory);
    const server = new RedisServer(directory, await reservePort(), guardian);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async crash(): Promise<void> {
    signal(this.pid, 'SIGKILL');
    while (isAlive(this.pid)) await delay(5);
  }

  /** Starts Redis again, empty. */
  async restart(): Promise<void> {
    const settings = {
      port: String(this.port),
      bind: '127.0.0.1',
      dir: this.directory,
      save: '',
      appendonly: 'no',
      rdbcompression: 'no',
      'maxmemory-policy': 'noeviction',
      logfile: join(this.directory, 'redis.log'),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn('redis-server', flags, { stdio: 'ignore' });
    child.on('error', () => undefined);
    this.pid = child.pid ?? 0;
    if (child.pid !== undefined) this.guardian.guard({ pid: child.pid });
    const limit = Date.now() + START_LIMIT_MS;
    while (!(await this.ask((redis) => redis.ping()).catch(() => null))) {
      if (Date.now() > limit) throw new Error('redis-server did not start');
      await delay(20);
    }
  }

  async freeze(ms: number): Promise<void> {
    signal(this.pid, 'SIGSTOP');
    await delay(ms);
    signal(this.pid, 'SIGCONT');
  }

  async flush(): Promise<void> {
    await this.ask((redis) => redis.flushall());
  }

  /** Refuses writes for `ms` milliseconds, as at the memory limit; reads still work. */
  async refuseWrites(ms: number): Promise<void> {
    await this.ask((redis) => redis.config('SET', 'maxmemory', '1'));
    await delay(ms);
    await this.ask((redis) => redis.config('SET', 'maxmemory', '0'));
  }

  async keyCount(): Promise<number> {
    return this.ask((redis) => redis.dbsize());
  }

  /** All data of Redis, as an uncompressed dump. */
  async dump(): Promise<Buffer> {
    await this.ask((redis) => redis.save());
    const file = join(this.directory, 'dump.rdb');
    return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  }

  async stop(): Promise<void> {
    await this.crash();
  }

  private async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url, {
      lazyConnect: true,
      commandTimeout: 5_000,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }
}
