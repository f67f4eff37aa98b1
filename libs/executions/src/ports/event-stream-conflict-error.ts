import { AppError } from '#libs/kernel';

export class EventStreamConflictError extends AppError {
  constructor(executionId: string, firstId: number) {
    super({
      code: 'EVENT_NUMBER_TAKEN',
      kind: 'lease_lost',
      message: 'another worker writes the events of this execution',
      details: { executionId, firstId },
    });
  }
}
