import { createParser } from 'eventsource-parser';
import type { Arrival } from '../programs/failpoints.js';

/** The first failpoint of an attempt whose events have begun; the model is not asked yet. */
const BEGUN = 'retrieval.before_call';

/**
 * Followers of executions, of which the worker knows before it asks the model: events of an execution without a follower
 * are written with its end, so that a follower that comes late would change what is tested.
 */
export class LaneFollowers {
  /** Submissions whose executions are not known yet. */
  private readonly underWay = new Set<Promise<unknown>>();
  /** By execution; resolves when its follower has read an event, or reads no more. */
  private readonly heard = new Map<string, Promise<void>>();

  /** Follows the execution that `submitted` resolves to. */
  async follow(submitted: Promise<{ readonly url: string; readonly id: string }>): Promise<void> {
    this.underWay.add(submitted);
    try {
      const { url, id } = await submitted;
      this.heard.set(id, hear(`${url}/api/executions/${id}/events/`));
    } finally {
      this.underWay.delete(submitted);
    }
  }

  /** Resolves when the process at this failpoint may go on. */
  async admit({ point, executionId }: Arrival): Promise<void> {
    if (point !== BEGUN) return;
    await Promise.allSettled(this.underWay);
    await this.heard.get(executionId);
  }
}

/** Resolves with the first event, and reads on until the stream ends. */
function hear(url: string): Promise<void> {
  return new Promise((resolve) => {
    // Heartbeats come without an id.
    const parser = createParser({ onEvent: ({ id }) => id !== undefined && resolve() });
    const read = async (): Promise<void> => {
      const { body } = await fetch(url);
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(text);
    };
    // A killed API ends the connection with an error.
    void read()
      .catch(() => undefined)
      .finally(resolve);
  });
}
