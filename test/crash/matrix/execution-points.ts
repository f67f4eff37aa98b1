import type { Failpoint } from '../programs/failpoints.js';
import type { Conversation } from './conversation.js';

/** A conversation, and the failpoint at which its first execution is held. */
export interface HeldConversation extends Conversation {
  readonly point: Failpoint;
}

/** The failpoint of each execution. The id is known only after the acceptance, when the execution may already be running. */
export class ExecutionPoints {
  private readonly known = new Map<string, PromiseWithResolvers<Failpoint>>();

  pointOf(executionId: string): Promise<Failpoint> {
    return this.entryOf(executionId).promise;
  }

  place(conversations: readonly HeldConversation[]): void {
    for (const { point, first } of conversations) {
      first.then(
        ({ id }) => this.entryOf(id).resolve(point),
        // The test that awaits the submission fails.
        () => undefined,
      );
    }
  }

  private entryOf(executionId: string): PromiseWithResolvers<Failpoint> {
    const entry = this.known.get(executionId) ?? Promise.withResolvers<Failpoint>();
    this.known.set(executionId, entry);
    return entry;
  }
}
