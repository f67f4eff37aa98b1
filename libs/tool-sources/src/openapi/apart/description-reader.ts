import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BoundedProcess, type ProcessLimits } from '#libs/bounded-process';
import { ToolServerFailure } from '#libs/tooling';
import type { DescriptionText } from '../parse-description.js';
import type { PreparationLimits, PreparedService } from '../prepare-service.js';
import type { DescriptionOrder } from './description-program.js';
import { ServiceOfLines } from './service-lines.js';
import { unusable, type ReadDescription } from './read-description.js';

export interface DescriptionReaderOptions extends Partial<ProcessLimits> {
  /** Path of the program; default: the one of this library. */
  readonly program?: string;
  readonly preparation?: PreparationLimits;
}

/** Milliseconds; a text of 16 MiB takes a fifth of it. */
const TIMEOUT_MS = 20_000;
const MAX_RSS_BYTES = 768 * 2 ** 20;
/** A smaller young generation keeps peak memory low for large texts. */
const FLAGS = ['--max-semi-space-size=4'];
/** Limits of all operations of a description together: about 30 s of processing, and the memory of one worker. */
const PREPARATION: PreparationLimits = {
  ...{ schemas: 4_000_000, steps: Number.MAX_SAFE_INTEGER, chars: 8_388_608 },
};
/** Factor of the timeout: preparing all operations takes longer than checking. */
const PREPARING_TIMES = 3;
/** Maximum concurrent processes, each for another tenant. */
const MAX_AT_ONCE = 2;

/**
 * Reads descriptions in separate processes: always when they are stored, because even short ones may expand by aliases,
 * references and repeated parts, and when preparing their tools takes longer than a moment.
 */
export class DescriptionReader {
  private readonly limits: ProcessLimits;
  private readonly program: string;
  private readonly preparation: PreparationLimits;
  /** Each tenant's last queued reading. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor({
    timeoutMs = TIMEOUT_MS,
    mostRssBytes = MAX_RSS_BYTES,
    program = PROGRAM,
    preparation = PREPARATION,
  }: DescriptionReaderOptions = {}) {
    this.limits = { timeoutMs, mostRssBytes };
    this.program = program;
    this.preparation = preparation;
  }

  /** The description as JSON, with its validation result. Readings of a tenant run one after the other. */
  async read(tenantId: string, document: DescriptionText): Promise<ReadDescription> {
    return this.inTurn(tenantId, () => this.readApart(document));
  }

  /**
   * The operations of a description with their arguments, or the reason why it is unusable. Throws a
   * `ToolServerFailure` if that exceeds the limits of time or memory, or the process was lost.
   */
  async prepare(
    tenantId: string,
    document: DescriptionText,
  ): Promise<PreparedService | { readonly fault: string }> {
    return this.inTurn(tenantId, () => this.prepareApart(document));
  }

  private async inTurn<Read>(tenantId: string, read: () => Promise<Read>): Promise<Read> {
    const before = this.turns.get(tenantId) ?? Promise.resolve();
    const reading = before.then(() => this.withSlot(read));
    const turn = reading.catch(() => undefined);
    this.turns.set(tenantId, turn);
    try {
      return await reading;
    } finally {
      if (this.turns.get(tenantId) === turn) this.turns.delete(tenantId);
    }
  }

  private async withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private async readApart(document: DescriptionText): Promise<ReadDescription> {
    const reading = this.start(document, { limits: null }, 1);
    try {
      const parts: Buffer[] = [];
      for await (const part of reading.stdout as AsyncIterable<Buffer>) parts.push(part);
      const limit = await limitReached(reading);
      if (limit === null) return JSON.parse(Buffer.concat(parts.splice(0)).toString()) as ReadDescription;
      return { document, check: unusable(`#: takes too much ${limit} to be read: must be smaller, or JSON`) };
    } finally {
      reading.end();
    }
  }

  private async prepareApart(
    document: DescriptionText,
  ): Promise<PreparedService | { readonly fault: string }> {
    const preparing = this.start(document, { limits: this.preparation }, PREPARING_TIMES);
    try {
      const lines = new ServiceOfLines();
      for await (const line of createInterface({ input: preparing.stdout })) lines.add(line);
      const limit = await limitReached(preparing);
      const { whole } = lines;
      if (limit === null && whole !== null) return whole;
      if (await preparing.isLost) throw new ToolServerFailure('overloaded', 'its description was not read');
      throw new ToolServerFailure('document', `#: takes too much ${limit} to be read: must be smaller`);
    } finally {
      preparing.end();
    }
  }

  private start(document: DescriptionText, order: DescriptionOrder, times: number): BoundedProcess {
    const limits = { ...this.limits, timeoutMs: this.limits.timeoutMs * times };
    const started = new BoundedProcess(this.program, order, limits, FLAGS);
    // The process may end before it has read all input.
    started.stdin.on('error', () => undefined).end(JSON.stringify(document));
    return started;
  }
}

/** The limit that the process was killed for; null if it ended by itself. */
async function limitReached(reading: BoundedProcess): Promise<'time' | 'memory' | null> {
  const code = await reading.exitCode;
  if (code === 0) return null;
  if (code !== null) throw new Error(`the program that reads descriptions has ended with ${code}`);
  return reading.isTimeUp ? 'time' : 'memory';
}

const PROGRAM = fileURLToPath(new URL('./description-program.js', import.meta.url));
