import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitFor } from '../../support/services/wait-for.js';
import type { Arrival, Departure, Failpoint } from '../programs/failpoints.js';
import { createPatientServer } from '../../support/services/patient-server.js';

/** The number of the visit to hold, from 1, for an execution; null holds none. */
export type NthOf = (executionId: string) => number | Promise<number | null>;

/** Holds executions at one failpoint until it is closed or released. */
export class Trap {
  readonly arrivals: Arrival[] = [];
  private readonly visits = new Map<string, number>();
  private isArmed = true;
  private resolveReleased: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => {
    this.resolveReleased = resolve;
  });

  /** `nthOf`: the visit of an execution to hold, from 1; it may resolve only after the execution has arrived. */
  constructor(
    readonly point: Failpoint,
    private readonly nthOf: NthOf,
  ) {}

  /** Returns at once, or after the release if this visit is to be held. */
  async visit(arrival: Arrival): Promise<Departure> {
    if (!this.isArmed || arrival.point !== this.point) return { held: false };
    const visits = (this.visits.get(arrival.executionId) ?? 0) + 1;
    this.visits.set(arrival.executionId, visits);
    const nth = await Promise.race([this.nthOf(arrival.executionId), this.released]);
    if (!this.holds(visits, nth)) return { held: false };
    this.arrivals.push(arrival);
    await this.released;
    return { held: true };
  }

  /** True if the visit is to be held; the trap may have been disarmed during a wait. */
  private holds(visit: number, nth: unknown): boolean {
    return this.isArmed && visit === nth;
  }

  /** Waits until `count` executions are held, and closes the trap. Returns the processes that run them. */
  async catch(count: number): Promise<ReadonlySet<number>> {
    await waitFor(() => this.arrivals.length >= count, {
      description: `${count} executions at ${this.point} (there: ${this.arrivals.length})`,
    });
    return this.close();
  }

  /** Holds no further execution. Returns the processes of those that are held. */
  close(): ReadonlySet<number> {
    this.isArmed = false;
    return new Set(this.arrivals.map((arrival) => arrival.pid));
  }

  release(): void {
    this.isArmed = false;
    this.resolveReleased();
  }
}

/** The server to which processes report failpoints, and at which they wait to go on. */
export class FailpointBoard {
  /** All arrivals, held or not. */
  readonly visitors: Arrival[] = [];
  /** Called with each arrival, which waits for the answer before it comes to a trap. */
  admit: (arrival: Arrival) => Promise<void> = () => Promise.resolve();
  private readonly traps = new Set<Trap>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<FailpointBoard> {
    const server = createPatientServer();
    const board = new FailpointBoard(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => board.answer(JSON.parse(body) as Arrival, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return board;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  arm(point: Failpoint, nth: number | NthOf = 1): Trap {
    const trap = new Trap(point, typeof nth === 'number' ? () => nth : nth);
    this.traps.add(trap);
    return trap;
  }

  /** Releases all held executions and removes the trap. */
  disarm(trap: Trap): void {
    trap.release();
    this.traps.delete(trap);
  }

  /** Returns when no trap holds the arrival any more. */
  async visit(arrival: Arrival): Promise<Departure> {
    this.visitors.push(arrival);
    await this.admit(arrival);
    const departures = await Promise.all([...this.traps].map((trap) => trap.visit(arrival)));
    return { held: departures.some((departure) => departure.held) };
  }

  async close(): Promise<void> {
    for (const trap of this.traps) trap.release();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(arrival: Arrival, response: ServerResponse): Promise<void> {
    response.end(JSON.stringify(await this.visit(arrival)));
  }
}
