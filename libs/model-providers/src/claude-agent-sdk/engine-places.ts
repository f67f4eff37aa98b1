import { totalmem } from 'node:os';
import type { FolderLimits } from './folder-use.js';

/** Memory that one engine may take, and that one is planned with. */
export const ENGINE_MEMORY_BYTES = 2 ** 30;

/** Files that one engine may write below its home. */
export const ENGINE_FILES: FolderLimits = { bytes: 2 ** 28, files: 10_000 };

/** An engine that holds a place. */
export interface PlaceHolder {
  /** Whether it only waits for outputs of tools; its conversation can begin again from its messages. */
  readonly isIdle: boolean;
  end(): void;
}

/**
 * Places for engines, as many as memory allows. Where all are taken, the engine that has waited longest for its tools
 * gives its place up: a call that runs an agent would else wait for the place that its caller holds.
 */
export class EnginePlaces {
  private readonly holders = new Set<PlaceHolder>();
  private readonly waiting = new Set<() => void>();

  constructor(readonly size: number = placesByMemory(process.constrainedMemory() || totalmem())) {}

  /** Takes a place; false if `signal` aborts while all are taken by engines that work. */
  async take(holder: PlaceHolder, signal: AbortSignal): Promise<boolean> {
    while (this.holders.size >= this.size && !signal.aborted) {
      const idle = [...this.holders].find(({ isIdle }) => isIdle);
      if (idle === undefined) await this.change(signal);
      else {
        this.holders.delete(idle);
        idle.end();
      }
    }
    if (signal.aborted) return false;
    this.holders.add(holder);
    return true;
  }

  release(holder: PlaceHolder): void {
    if (this.holders.delete(holder)) this.noteChange();
  }

  /** Puts an engine that has become idle behind those that have been longer, and lets a waiting call look again. */
  noteIdle(holder: PlaceHolder): void {
    if (!this.holders.delete(holder)) return;
    this.holders.add(holder);
    this.noteChange();
  }

  private noteChange(): void {
    for (const look of this.waiting) look();
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        this.waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.waiting.add(look);
      signal.addEventListener('abort', look, { once: true });
    });
  }
}

/** Installation of the engine, and its places in this process. */
export interface EngineSurroundings {
  /** Path of the SDK's module; there may be none. */
  readonly sdk: string;
  readonly places: EnginePlaces;
  /** Path of the program that runs the engine, where it is not beside this code. */
  readonly program?: string;
  /** Maximum resident memory of one engine in bytes; by default what one is planned with. */
  readonly mostRssBytes?: number;
  /** Files that one engine may write; by default {@link ENGINE_FILES}. */
  readonly mostFiles?: FolderLimits;
  /** False where this process starts no engine: executions that need one run elsewhere. */
  readonly startsEngines?: boolean;
}

/** One place for each GiB beside the first, which is the worker's own; at least one. */
export function placesByMemory(bytes: number): number {
  return Math.max(1, Math.floor(bytes / ENGINE_MEMORY_BYTES) - 1);
}
