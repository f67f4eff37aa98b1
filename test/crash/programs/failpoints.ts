import { setTimeout as delay } from 'node:timers/promises';

/** The points at which a process may die, in the order in which an execution passes them. */
export const FAILPOINTS = [
  'accept.before_commit',
  'accept.after_commit',
  'dispatch.after_mark_before_send',
  'dispatch.after_send',
  'hand.before',
  'hand.after',
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
 * Points before and after every append, park and settling transaction of an attempt: they matter where several loops share a
 * commit.
 */
export const COMMIT_POINTS = ['journal.before_commit', 'journal.after_commit'] as const;

/** Points at which a tool server holds its caller besides `tool.during_call`; at `half_way`, half of the answer is sent. */
export const SERVER_POINTS = ['server.connecting', 'server.listing', 'server.half_way'] as const;
/** Points around the retrieval of documents for an answer; its result is pinned by a commit of its own. */
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

const MAX_TRIES = 20;
const RETRY_MS = 50;

/** A process's report that it is at a failpoint. */
export interface Arrival {
  readonly point: Failpoint;
  readonly executionId: string;
  readonly pid: number;
  /** `<call>` at a tool call; `<kind> <call>` for each fact of a commit that is about a call. */
  readonly about: readonly string[];
}

/** The board's answer. `held`: the process had to wait here, longer than its connections may last. */
export interface Departure {
  readonly held: boolean;
}

/**
 * The failpoints of one process. At each one the process reports to the board and waits for its answer, during which a test
 * kills or freezes it. Without a board no failpoint is reported or waited for.
 */
export class Failpoints {
  constructor(private readonly boardUrl: string | null) {}

  async reach(point: Failpoint, executionId: string, about: readonly string[] = []): Promise<Departure> {
    if (this.boardUrl === null) return { held: false };
    const arrival: Arrival = { point, executionId, pid: process.pid, about };
    return this.report(this.boardUrl, arrival, MAX_TRIES);
  }

  /** Retries when the board has just closed the connection or was too busy to accept it. */
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
