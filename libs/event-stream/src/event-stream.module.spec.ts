import { describe, expect, it } from '@jest/globals';
import { EventStream } from '#libs/executions';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Pool } from 'pg';
import { EventStreamModule } from './event-stream.module.js';
import { PostgresEventStream } from './postgres/postgres-event-stream.js';

const pool = new Pool();

@Module({ providers: [{ provide: Pool, useValue: pool }], exports: [Pool] })
class DatabaseModule {}

describe('EventStreamModule', () => {
  it('provides the stream that the options ask for and closes it with the application', async () => {
    const application = await Test.createTestingModule({
      imports: [
        EventStreamModule.forRoot({
          imports: [DatabaseModule],
          inject: [Pool],
          useFactory: (injected: Pool) => ({ backend: 'postgres', pool: injected, log: () => undefined }),
        }),
      ],
    }).compile();

    expect(application.get(EventStream)).toBeInstanceOf(PostgresEventStream);
    expect(pool.listenerCount('error')).toBe(1);
    await application.close();
    expect(pool.listenerCount('error')).toBe(0);
  });
});
