import { fileURLToPath } from 'node:url';
import { BoundedProcess, type ProcessLimits } from '#libs/bounded-process';
import type { DescriptionText } from '../parse-description.js';
import { unusable, type ReadDescription } from './read-description.js';

export interface DescriptionReaderOptions extends Partial<ProcessLimits> {
  /** The file of the program; that of this library by default. */
  readonly program?: string;
}

/** A text of 16 MiB takes a fifth of it. */
const TIMEOUT_MS = 20_000;
const MOST_RSS_BYTES = 768 * 2 ** 20;
/** Keeps garbage small: with the young generation that Node has by default the same text takes more memory. */
const FLAGS = ['--max-semi-space-size=4'];
/** Processes that read at the same time, each for another tenant. */
const MAX_AT_ONCE = 2;

/**
 * Reads descriptions when they are written, each in a process of its own, also a short one: a short one can mean more than
 * its length says, by aliases, references and repeated parts. Later readers get JSON, which takes a fraction of the time.
 */
export class DescriptionReader {
  private readonly limits: ProcessLimits;
  private readonly program: string;
  /** The last reading of each tenant that has some. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor({
    timeoutMs = TIMEOUT_MS,
    mostRssBytes = MOST_RSS_BYTES,
    program = PROGRAM,
  }: DescriptionReaderOptions = {}) {
    this.limits = { timeoutMs, mostRssBytes };
    this.program = program;
  }

  /** The description as JSON with what is wrong with it. A tenant's descriptions are read one after the other. */
  async read(tenantId: string, document: DescriptionText): Promise<ReadDescription> {
    const before = this.turns.get(tenantId) ?? Promise.resolve();
    const reading = before.then(() => this.withSlot(() => this.readApart(document)));
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
    const reading = new BoundedProcess(this.program, {}, this.limits, FLAGS);
    try {
      // It may end before it has read all.
      reading.stdin.on('error', () => undefined).end(JSON.stringify(document));
      const parts: Buffer[] = [];
      for await (const part of reading.stdout as AsyncIterable<Buffer>) parts.push(part);
      const code = await reading.exitCode;
      if (code === 0) return JSON.parse(Buffer.concat(parts.splice(0)).toString()) as ReadDescription;
      if (code !== null) throw new Error(`the program that reads descriptions has ended with ${code}`);
      const limit = reading.isTimeUp ? 'time' : 'memory';
      return { document, check: unusable(`#: takes too much ${limit} to be read: must be smaller, or JSON`) };
    } finally {
      reading.end();
    }
  }
}

const PROGRAM = fileURLToPath(new URL('./description-program.js', import.meta.url));
