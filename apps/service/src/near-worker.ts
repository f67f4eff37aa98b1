import type { INestApplicationContext } from '@nestjs/common';
import { AssignmentIntake, WorkerDoors, type WorkerDoor } from '#libs/executions';
import { WorkerPresence } from '#libs/persistence';

/** The worker of this process, to which executions are handed by a call. */
export class NearWorker extends WorkerDoors {
  private constructor(
    private readonly presence: WorkerPresence,
    private readonly intake: AssignmentIntake,
  ) {
    super();
  }

  static of(worker: INestApplicationContext): NearWorker {
    const anywhere = { strict: false };
    return new NearWorker(worker.get(WorkerPresence, anywhere), worker.get(AssignmentIntake, anywhere));
  }

  override find(): Promise<readonly WorkerDoor[]> {
    if (!this.presence.isPresent) return Promise.resolve([]);
    const hand: WorkerDoor['hand'] = (assignments) => Promise.resolve(this.intake.receive(assignments));
    return Promise.resolve([{ workerId: this.presence.workerId, hand }]);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}
