import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import { z } from 'zod';
import { EventStreamUnavailableError } from '../event-stream-unavailable-error.js';
import type { StoredRow } from '../stored-event.js';
import type { RedisConnection } from './redis-connection.js';

/** A part of one stream. */
export interface StreamRange {
  readonly key: string;
  readonly afterId: number;
  readonly limit: number;
}

const entriesSchema = z.array(
  z.tuple([
    z.templateLiteral([z.int().positive(), '-0']),
    z.tuple([z.literal('event'), z.string(), z.literal('data'), z.string()]),
  ]),
);

/**
 * Reads ranges of streams. One message wakes the subscribers of many executions at once, so their reads are pipelined
 * in one write. A new batch does not wait for the one in flight.
 */
export class RedisReads {
  private readonly reads = new BatchExecutor<StreamRange, readonly StoredRow[]>({
    runTogether: (ranges) => this.readTogether(ranges),
    runAlone: async (range) => {
      const [answer] = await this.readTogether([range]);
      if (answer?.kind === 'done') return answer.value;
      throw answer?.kind === 'failed' ? answer.error : new Error('no answer to a read');
    },
    mayRunAlone: () => false,
    lanes: Infinity,
    defer: setImmediate,
  });

  constructor(private readonly connection: RedisConnection) {}

  read(range: StreamRange): Promise<readonly StoredRow[]> {
    return this.reads.call(range);
  }

  private async readTogether(ranges: readonly StreamRange[]): Promise<BatchAnswer<readonly StoredRow[]>[]> {
    const commands = ranges.map(({ key, afterId, limit }) => [
      'xrange',
      key,
      `${afterId + 1}-0`,
      '+',
      'COUNT',
      limit,
    ]);
    const answers = await this.connection.run((redis) => redis.pipeline(commands).exec());
    return (answers ?? []).map(([error, entries]) => {
      if (error !== null) return { kind: 'failed', error: new EventStreamUnavailableError(error) };
      return toAnswer(entries);
    });
  }
}

/** An unreadable stream fails only the read of that stream. */
function toAnswer(entries: unknown): BatchAnswer<readonly StoredRow[]> {
  try {
    return { kind: 'done', value: toRows(entries) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Throws if the entries are not those of an event stream. */
export function toRows(entries: unknown): readonly StoredRow[] {
  return entriesSchema.parse(entries).map(([id, [, event, , data]]) => {
    const json: unknown = JSON.parse(data);
    return { id: Number.parseInt(id, 10), event, data: json };
  });
}
