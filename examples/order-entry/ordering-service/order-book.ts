import { createHash } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';

/** A posted order, as `transformToSaveOrderRequest` makes it. */
export const ORDER = z.object({
  order_info: z
    .array(
      z.object({
        item_num: z.string().min(1),
        quantity: z.number().positive(),
        uom: z.string(),
        remark: z.string().nullable(),
      }),
    )
    .min(1),
});
export type Order = z.infer<typeof ORDER>;

const ENTRY = z.object({ key: z.string(), digest: z.string(), order_number: z.string(), order: ORDER });
export type Entry = z.infer<typeof ENTRY>;

export type Entered =
  | { readonly kind: 'new' | 'known'; readonly entry: Entry }
  /** The key was used for another order. */
  | { readonly kind: 'reused' };

const FIRST_NUMBER = 1_001;

/**
 * Stores orders in a file, one line each: an order gets its number once its line is on disk, and its key gets no other
 * number.
 */
export class OrderBook {
  private readonly file: FileHandle;
  private readonly byKey: Map<string, Entry>;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(file: FileHandle, entries: readonly Entry[]) {
    this.file = file;
    this.byKey = new Map(entries.map((entry) => [entry.key, entry]));
  }

  static async open(path: string): Promise<OrderBook> {
    const file = await open(path, 'a+');
    const lines = (await readFile(path, 'utf8')).split('\n');
    // A line cut off by a crash was never answered.
    const whole = lines.slice(0, -1).map((line) => ENTRY.parse(JSON.parse(line)));
    await file.truncate(
      Buffer.byteLength(
        lines
          .slice(0, -1)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    );
    return new OrderBook(file, whole);
  }

  get entries(): readonly Entry[] {
    return [...this.byKey.values()];
  }

  /** Serialised, so that two requests with one key create one order. */
  enter(key: string, order: Order): Promise<Entered> {
    const entered = this.last.then(() => this.write(key, order));
    this.last = entered.catch(() => undefined);
    return entered;
  }

  async close(): Promise<void> {
    await this.last;
    await this.file.close();
  }

  private async write(key: string, order: Order): Promise<Entered> {
    const digest = createHash('sha256').update(JSON.stringify(order)).digest('base64url');
    const known = this.byKey.get(key);
    if (known !== undefined)
      return known.digest === digest ? { kind: 'known', entry: known } : { kind: 'reused' };
    const entry: Entry = { key, digest, order_number: `SO-${FIRST_NUMBER + this.byKey.size}`, order };
    await this.file.appendFile(`${JSON.stringify(entry)}\n`);
    await this.file.sync();
    this.byKey.set(key, entry);
    return { kind: 'new', entry };
  }
}
