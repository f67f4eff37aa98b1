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
  /** Answers 200 as soon as the service is ready. */
  readonly readyUrl: string;
  readonly logFolder: string;
  readonly timeline: Timeline;
  readonly guardian: Guardian;
  /** Milliseconds from the signal to stop until the process must have ended. */
  readonly stopWithinMs: number;
  /** Milliseconds that the process may hang before it ends itself. */
  readonly hangLimitMs: number;
}

const heapLimit = (megabytes: string | undefined) =>
  megabytes === undefined ? [] : [`--max-old-space-size=${megabytes}`];
const SHIFTING_CLOCK = pathToFileURL(join(import.meta.dirname, 'shifting-clock.mjs')).href;
const RESTART_AFTER_MS = 300;
const READY_LIMIT_MS = 60_000;
const READY_ASKED_EVERY_MS = 50;
const READY_ANSWER_LIMIT_MS = 2_000;
/** Milliseconds in which a process that does not hang answers. */
const ALIVE_WITHIN_MS = 500;

/** A process that is started with the flags of the image, and restarted whenever it ends, as an orchestrator does. */
export class SupervisedService {
  /** Ends that were not requested, of processes that were ready before. */
  readonly unexpectedExits: string[] = [];
  /** Processes that were killed because they did not end when asked to. */
  readonly unresponsive: string[] = [];
  /** Time spans in which a process was frozen, was asked to end, or had ended. */
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

  /** Kills the process; it is started again after `downMs`. */
  async kill(downMs: number): Promise<void> {
    await this.end('SIGKILL', downMs);
  }

  /** Asks the process to stop, and starts it again. */
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

  /** Shifts the wall clock of the process, for its restarts as well. */
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
    this.isWanted = false;
    const helplessMs = (await this.hangs()) ? this.options.hangLimitMs : 0;
    const { child } = this;
    if (child !== null) {
      this.isEndExpected = true;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      this.stops.push({ name: this.name, pid: child.pid ?? 0, from: Date.now() - helplessMs, to: null });
      child.kill(name);
      const deadline = setTimeout(() => this.endDeaf(child), this.options.stopWithinMs);
      await ended;
      clearTimeout(deadline);
    }
    await delay(downMs);
    this.isWanted = wasWanted;
    if (wasWanted) this.launch();
  }

  /** Whether a poison execution blocks the process, which may not have ended itself yet. */
  private async hangs(): Promise<boolean> {
    if (!this.hasAnswered) return false;
    const signal = AbortSignal.timeout(ALIVE_WITHIN_MS);
    const hangs = await fetch(this.options.readyUrl, { signal })
      .then(async ({ body }) => body?.cancel())
      .then(
        () => false,
        () => signal.aborted,
      );
    if (hangs) this.options.timeline.note('process hangs', { name: this.name, pid: this.pid });
    return hangs;
  }

  /** Kills a process that did not stop in time, as an orchestrator does. */
  private endDeaf(child: ChildProcess): void {
    this.options.timeline.note('process is unresponsive', { name: this.name, pid: child.pid });
    this.unresponsive.push(`${this.name}: did not end when it was asked to`);
    if (child.pid !== undefined) signal(child.pid, 'SIGCONT');
    child.kill('SIGKILL');
  }

  private launch(): void {
    if (this.child !== null) return;
    const { program, env } = this.options;
    // Node uses the last heap limit among its flags.
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

  /** Notes that the process ended. `helplessMs`: how long a process hung before it ended itself. */
  private noteEnd(how: string, helplessMs: number): void {
    const { timeline } = this.options;
    const wasReady = this.hasAnswered;
    if (!this.isEndExpected)
      this.stops.push({ name: this.name, pid: this.pid ?? 0, from: Date.now() - helplessMs, to: null });
    this.child = null;
    this.hasAnswered = false;
    timeline.note('process ended', { name: this.name, how, expected: this.isEndExpected });
    if (this.isEndExpected) return;
    // A service that cannot start without its database ends and is restarted until it can.
    if (wasReady) this.unexpectedExits.push(`${this.name}: ${how}`);
    setTimeout(() => {
      if (this.isWanted) this.launch();
    }, RESTART_AFTER_MS);
  }
}
