import { Combiner, type BatchAnswer } from '#libs/concurrency';
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
 * Reads parts of streams. One message wakes the followers of many executions at the same time: what they read then goes
 * out in one write and not in one for each. Nobody waits for a read that is under way.
 */
export class RedisReads {
  private readonly reads = new Combiner<StreamRange, readonly StoredRow[]>({
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

/** What this release cannot read concerns only those who follow that stream. */
function toAnswer(entries: unknown): BatchAnswer<readonly StoredRow[]> {
  try {
    return { kind: 'done', value: toRows(entries) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Throws for what is no stream of ours. */
export function toRows(entries: unknown): readonly StoredRow[] {
  return entriesSchema.parse(entries).map(([id, [, event, , data]]) => {
    const json: unknown = JSON.parse(data);
    return { id: Number.parseInt(id, 10), event, data: json };
  });
}
