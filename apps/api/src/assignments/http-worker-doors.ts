import { WorkerDoors, type WorkerDoor } from '#libs/executions';
import type { WorkerStore } from '#libs/persistence';
import { HttpWorkerDoor } from './http-worker-door.js';

/** Workers that a process hands executions to: enough for its load, few enough for the connections of all. */
const MAX_WORKERS = 8;

/** Workers at the addresses that they have announced in the database. */
export class HttpWorkerDoors extends WorkerDoors {
  private doors = new Map<string, HttpWorkerDoor>();

  constructor(private readonly workers: Pick<WorkerStore, 'findAddresses'>) {
    super();
  }

  override async find(known: readonly string[]): Promise<readonly WorkerDoor[]> {
    const found = await this.workers.findAddresses(known, MAX_WORKERS);
    const before = this.doors;
    this.doors = new Map(
      found.map((worker) => [worker.id, before.get(worker.id) ?? new HttpWorkerDoor(worker)]),
    );
    const gone = [...before].filter(([id]) => !this.doors.has(id));
    await Promise.all(gone.map(([, door]) => door.close()));
    return [...this.doors.values()];
  }

  override async close(): Promise<void> {
    await Promise.all([...this.doors.values()].map((door) => door.close()));
  }
}
