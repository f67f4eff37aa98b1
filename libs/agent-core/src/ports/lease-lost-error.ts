import { AppError } from '#libs/kernel';

/** Another worker holds the lease, or the execution has ended: stop, and write nothing more. */
export class LeaseLostError extends AppError {
  constructor(executionId: string, epoch: number) {
    super({
      code: 'LEASE_LOST',
      kind: 'lease_lost',
      message: 'another worker took over this execution',
      details: { executionId, epoch },
    });
  }
}
