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
  'queue.before_ack',
  'webhook.before_post',
  'webhook.after_post_before_record',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** What a process reports when it is at a failpoint. */
export interface Arrival {
  readonly point: Failpoint;
  readonly executionId: string;
  readonly pid: number;
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

  async reach(point: Failpoint, executionId: string): Promise<Departure> {
    if (this.boardUrl === null) return { held: false };
    const arrival: Arrival = { point, executionId, pid: process.pid };
    const response = await fetch(this.boardUrl, { method: 'POST', body: JSON.stringify(arrival) });
    return (await response.json()) as Departure;
  }
}
