import type { Failpoint } from '../programs/failpoints.js';
import type { Conversation } from './conversation.js';

/** A conversation whose first execution is held at a failpoint. */
export interface HeldConversation extends Conversation {
  readonly point: Failpoint;
}

/** The failpoint that each execution is held at. Its id is known only once it is accepted, when it may be on its way. */
export class ExecutionPoints {
  private readonly known = new Map<string, PromiseWithResolvers<Failpoint>>();

  pointOf(executionId: string): Promise<Failpoint> {
    return this.entryOf(executionId).promise;
  }

  place(conversations: readonly HeldConversation[]): void {
    for (const { point, first } of conversations) {
      first.then(
        ({ id }) => this.entryOf(id).resolve(point),
        // The test that awaits it fails.
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
