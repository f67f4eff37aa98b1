import { setTimeout as delay } from 'node:timers/promises';

/** Where a process may die: `tool.…` and so on as in the loop, in the order in which an execution passes them. */
export const FAILPOINTS = [
  'accept.before_commit',
  'accept.after_commit',
  'dispatch.after_mark_before_send',
  'dispatch.after_send',
  'claim.before',
  'claim.after',
  'model.before_call',
  'model.mid_stream',
  'model.after_response_before_commit',
  'tool.after_intent_before_call',
  'tool.during_call',
  'tool.after_effect_before_commit',
  'tool.after_commit',
  'drain.after_give_back',
  'settle.before_commit',
  'settle.commit_sent_no_ack',
  'settle.after_commit_before_events',
  'attempt.after_end',
  'webhook.before_post',
  'webhook.after_post_before_record',
] as const;

/**
 * On either side of every append, park and settling transaction of an attempt: they matter where several loops share
 * them.
 */
export const COMMIT_POINTS = ['journal.before_commit', 'journal.after_commit'] as const;

/** Where a tool server of a tenant holds who calls it, beside `tool.during_call`: half of its answer is on its way then. */
export const SERVER_POINTS = ['server.connecting', 'server.listing', 'server.half_way'] as const;
/** Around looking for what an agent answers from documents: what was found is pinned by a commit of its own. */
export const RETRIEVAL_POINTS = [
  'retrieval.before_call',
  'retrieval.after_call_before_pin',
  'retrieval.after_pin',
] as const;
export type ServerPoint = (typeof SERVER_POINTS)[number] | 'tool.during_call';
export type Failpoint =
  | (typeof FAILPOINTS)[number]
  | (typeof COMMIT_POINTS)[number]
  | (typeof SERVER_POINTS)[number]
  | (typeof RETRIEVAL_POINTS)[number];

const MOST_TRIES = 20;
const RETRY_MS = 50;

/** What a process reports when it is at a failpoint. */
export interface Arrival {
  readonly point: Failpoint;
  readonly executionId: string;
  readonly pid: number;
  /** What is at stake here: `<call>` at a tool call, `<kind> <call>` for each fact of a commit that concerns a call. */
  readonly about: readonly string[];
}

/** What the board answers. `held`: the process was made to wait here, and whatever it was waiting for is long ago. */
export interface Departure {
  readonly held: boolean;
}

/**
 * The failpoints of one process. Whoever reaches one reports it to the board and waits for the word to go on; that is
 * the moment in which the process is killed or frozen from outside. Without a board nothing is reported and nobody
 * waits.
 */
export class Failpoints {
  constructor(private readonly boardUrl: string | null) {}

  async reach(point: Failpoint, executionId: string, about: readonly string[] = []): Promise<Departure> {
    if (this.boardUrl === null) return { held: false };
    const arrival: Arrival = { point, executionId, pid: process.pid, about };
    return this.report(this.boardUrl, arrival, MOST_TRIES);
  }

  /** A connection that the board has just closed, or was too busy to take, is no failure of what is tested. */
  private async report(boardUrl: string, arrival: Arrival, triesLeft: number): Promise<Departure> {
    try {
      const response = await fetch(boardUrl, { method: 'POST', body: JSON.stringify(arrival) });
      return (await response.json()) as Departure;
    } catch (error) {
      if (triesLeft === 0) throw error;
      await delay(RETRY_MS);
      return this.report(boardUrl, arrival, triesLeft - 1);
    }
  }
}
