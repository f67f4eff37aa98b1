import type { Assignment } from './assignment-store.js';

/** A worker that executions can be handed to. */
export interface WorkerDoor {
  readonly workerId: string;
  /**
   * Hands executions over; none asks for the free slots only. Returns the slots that are free then. The worker requeues
   * what it has no slot for. Throws if the worker did not answer.
   */
  hand(assignments: readonly Assignment[]): Promise<number>;
}

/** The workers of the installation that take executions directly. */
export abstract class WorkerDoors {
  /** Some of them, those of `known` first. */
  abstract find(known: readonly string[]): Promise<readonly WorkerDoor[]>;
  /** Ends the connections to workers once what was handed over is answered. */
  abstract close(): Promise<void>;
}

/** A free slot of a worker, reserved for one execution that may be accepted. */
export interface Offer {
  readonly workerId: string;
  /** Token of the claim, if an execution takes the offer. */
  readonly token: string;
}

/** Offers for the executions of one accept. */
export interface Offers {
  readonly items: readonly Offer[];
  /** Free slots that this process knows of, those of `items` included. */
  readonly free: number;
}
