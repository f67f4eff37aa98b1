import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BoundedProcess } from '#libs/bounded-process';
import { engineLineSchema, type EngineLine, type EngineOrder } from './engine-protocol.js';
import { makeRunFolder, removeRunFolder } from './run-folders.js';

/** Path of the program that runs the engine. */
const PROGRAM = fileURLToPath(new URL('./claude-program.js', import.meta.url));

/** Longest life of one engine, in milliseconds: longer than any deadline of an execution. */
const LIFE_MS = 4_000_000;

/** A line of the program, or its end. */
export type EngineNews = EngineLine | { readonly kind: 'gone' };

/** The program with the engine of one conversation, in a process group and a folder of its own. */
export class EngineProcess {
  readonly home = makeRunFolder();
  private readonly process: BoundedProcess;

  constructor(hear: (news: EngineNews) => void, mostRssBytes: number, program = PROGRAM) {
    const limits = { timeoutMs: LIFE_MS, mostRssBytes };
    this.process = new BoundedProcess(program, { home: this.home }, limits);
    this.process.stdin.on('error', () => undefined);
    createInterface({ input: this.process.stdout, crlfDelay: Infinity }).on('line', (line) => {
      const read = engineLineSchema.safeParse(parse(line));
      if (read.success) hear(read.data);
    });
    void this.process.exitCode.then(async () => {
      this.process.end();
      hear({ kind: 'gone' });
      await removeRunFolder(this.home);
    });
  }

  send(order: EngineOrder): void {
    this.process.stdin.write(`${JSON.stringify(order)}\n`);
  }

  /** Kills the whole group. */
  end(): void {
    this.process.end();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
