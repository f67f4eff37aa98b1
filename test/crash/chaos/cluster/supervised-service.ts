import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, writeFileSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { IMAGE_ENV, IMAGE_FLAGS } from '../../../../scripts/local/service-process.ts';
import type { ProcessStop } from '../ledgers/chaos-world.js';
import type { Timeline } from '../ledgers/timeline.js';
import type { Guardian } from './guardian.js';
import { signal } from './processes-of.js';

export interface ServiceOptions {
  readonly name: string;
  /** The compiled program. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers 200 when it stands. */
  readonly readyUrl: string;
  readonly logFolder: string;
  readonly timeline: Timeline;
  readonly guardian: Guardian;
  /** How long it may take to end when it is asked to. */
  readonly stopWithinMs: number;
  /** For how long it may hang before it ends itself. */
  readonly hangLimitMs: number;
}

const heapLimit = (megabytes: string | undefined) =>
  megabytes === undefined ? [] : [`--max-old-space-size=${megabytes}`];
const SHIFTING_CLOCK = pathToFileURL(join(import.meta.dirname, 'shifting-clock.mjs')).href;
const RESTART_AFTER_MS = 300;
const READY_LIMIT_MS = 60_000;
const READY_ASKED_EVERY_MS = 50;
const READY_ANSWER_LIMIT_MS = 2_000;

/**
 * A process that is started as the image starts it, and again whenever it ends, as whoever runs the service would do.
 */
export class SupervisedService {
  /** Ends that nobody had asked for, after it was ready. */
  readonly unexpectedExits: string[] = [];
  /** Processes that had to be killed because they did not end when they were asked to. */
  readonly unresponsive: string[] = [];
  /** When a process of it could not go on, or was asked to end. */
  readonly stops: ProcessStop[] = [];
  private child: ChildProcess | null = null;
  private readonly log: WriteStream;
  private readonly clockFile: string;
  private hasAnswered = false;
  private isWanted = false;
  private isEndExpected = false;

  constructor(private readonly options: ServiceOptions) {
    this.log = createWriteStream(join(options.logFolder, `${options.name}.log`), { flags: 'a' });
    this.clockFile = join(options.logFolder, `${options.name}.clock`);
  }

  get name(): string {
    return this.options.name;
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  get isReady(): boolean {
    return this.hasAnswered;
  }

  async start(): Promise<void> {
    this.isWanted = true;
    this.launch();
    await this.waitUntilReady();
  }

  async waitUntilReady(): Promise<void> {
    const limit = Date.now() + READY_LIMIT_MS;
    while (!this.hasAnswered) {
      if (Date.now() > limit) throw new Error(`${this.name} did not become ready`);
      await delay(20);
    }
  }

  /** Kills it; it comes back after `downMs`. */
  async kill(downMs: number): Promise<void> {
    await this.end('SIGKILL', downMs);
  }

  /** Asks it to stop, and starts it again. */
  async restart(): Promise<void> {
    await this.end('SIGTERM', 0);
  }

  async freeze(ms: number): Promise<void> {
    const { name, pid } = this;
    if (pid === null) return;
    const from = Date.now();
    signal(pid, 'SIGSTOP');
    await delay(ms);
    signal(pid, 'SIGCONT');
    this.stops.push({ name, pid, from, to: Date.now() });
  }

  /** Its wall clock is off by so much, from now on and also after its next start. */
  setClock(offsetMs: number): void {
    writeFileSync(this.clockFile, String(offsetMs));
    if (this.pid !== null) signal(this.pid, 'SIGUSR2');
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await this.end('SIGTERM', 0);
    this.log.end();
  }

  private async end(name: NodeJS.Signals, downMs: number): Promise<void> {
    const wasWanted = this.isWanted;
    const { child } = this;
    this.isWanted = false;
    if (child !== null) {
      this.isEndExpected = true;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      this.stops.push({ name: this.name, pid: child.pid ?? 0, from: Date.now(), to: null });
      child.kill(name);
      const patience = setTimeout(() => this.endDeaf(child), this.options.stopWithinMs);
      await ended;
      clearTimeout(patience);
    }
    await delay(downMs);
    this.isWanted = wasWanted;
    if (wasWanted) this.launch();
  }

  /** Whoever runs the service does not wait for ever. */
  private endDeaf(child: ChildProcess): void {
    this.options.timeline.note('process is unresponsive', { name: this.name, pid: child.pid });
    this.unresponsive.push(`${this.name}: did not end when it was asked to`);
    if (child.pid !== undefined) signal(child.pid, 'SIGCONT');
    child.kill('SIGKILL');
  }

  private launch(): void {
    if (this.child !== null) return;
    const { program, env } = this.options;
    // The last limit of the heap is the one that holds.
    const flags = [...IMAGE_FLAGS, ...heapLimit(env['HEAP_MEGABYTES']), `--import ${SHIFTING_CLOCK}`];
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_OPTIONS: flags.join(' '),
        ...IMAGE_ENV,
        CLOCK_OFFSET_FILE: this.clockFile,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    if (child.pid !== undefined) this.options.guardian.guard({ pid: child.pid });
    this.hasAnswered = false;
    this.isEndExpected = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.log.write(text);
      });
    }
    void this.askUntilReady(child);
    child.once('exit', (code, endedBy) => {
      const helplessMs = endedBy === 'SIGKILL' ? this.options.hangLimitMs : 0;
      this.noteEnd(`code ${code ?? 'none'}, signal ${endedBy ?? 'none'}`, helplessMs);
    });
  }

  private async askUntilReady(child: ChildProcess): Promise<void> {
    const { readyUrl, timeline } = this.options;
    while (this.child === child && !this.hasAnswered) {
      const isOk = await fetch(readyUrl, { signal: AbortSignal.timeout(READY_ANSWER_LIMIT_MS) })
        .then((response) => response.ok)
        .catch(() => false);
      if (isOk && this.child === child) {
        this.hasAnswered = true;
        timeline.note('process ready', { name: this.name, pid: child.pid });
      } else await delay(READY_ASKED_EVERY_MS);
    }
  }

  /** `helplessMs`: a process that ends itself because it hangs has done nothing for so long. */
  private noteEnd(how: string, helplessMs: number): void {
    const { timeline } = this.options;
    const wasReady = this.hasAnswered;
    if (!this.isEndExpected)
      this.stops.push({ name: this.name, pid: this.pid ?? 0, from: Date.now() - helplessMs, to: null });
    this.child = null;
    this.hasAnswered = false;
    timeline.note('process ended', { name: this.name, how, expected: this.isEndExpected });
    if (this.isEndExpected) return;
    // One that cannot start, because its database is down, ends by itself and is started again until it can.
    if (wasReady) this.unexpectedExits.push(`${this.name}: ${how}`);
    setTimeout(() => {
      if (this.isWanted) this.launch();
    }, RESTART_AFTER_MS);
  }
}
