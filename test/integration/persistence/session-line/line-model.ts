/** One execution as the model knows it. */
export interface ModelTurn {
  readonly session: number;
  readonly turnNumber: number;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  attempt: number;
  epoch: number;
  lostAttempts: number;
  isolatedDeaths: number;
  /** Whether the attempt that runs, or ran last, wrote a fact. */
  hasProgressed: boolean;
  /** Whether the model has asked for a call that nobody has begun: whoever goes on begins it, and writes so. */
  hasUnbegunCall: boolean;
  isLeaseOver: boolean;
  isDispatched: boolean;
  isCancelRequested: boolean;
  worker: string | null;
}

/** The right to write that somebody once got; perhaps no longer. */
export interface ModelClaim {
  readonly turn: ModelTurn;
  readonly epoch: number;
  /** Whoever has it does nothing any more: it has ended the turn, or seen that it may not. */
  isOver: boolean;
  /** It has a process for itself. */
  readonly isIsolated: boolean;
}

/** Low, so that random histories reach them. */
export const SUSPECT_AFTER_LOSSES = 1;

/** What the stores promise of the lines of conversations, without their SQL. */
export class LineModel {
  readonly turns: ModelTurn[] = [];
  readonly claims: ModelClaim[] = [];

  get unsettled(): readonly ModelTurn[] {
    return this.turns.filter(isUnsettled);
  }

  accept(session: number): ModelTurn {
    const turn: ModelTurn = {
      session,
      turnNumber: this.turns.filter((other) => other.session === session).length + 1,
      status: 'queued',
      attempt: 0,
      epoch: 0,
      lostAttempts: 0,
      isolatedDeaths: 0,
      hasProgressed: false,
      hasUnbegunCall: false,
      isLeaseOver: false,
      isDispatched: false,
      isCancelRequested: false,
      worker: null,
    };
    this.turns.push(turn);
    return turn;
  }

  /** What a worker may take up now: the first of its session that has not ended, unless somebody holds it. */
  isRunnable(turn: ModelTurn): boolean {
    const head = this.unsettled.find((other) => other.session === turn.session);
    return head === turn && (turn.status === 'queued' || (turn.status === 'running' && turn.isLeaseOver));
  }

  /**
   * Somebody who cannot isolate a suspect gets none, and the loss is counted by whoever can. What is poisoned or cancelled
   * is ended by whoever claims it.
   */
  claim(
    turn: ModelTurn,
    worker: string,
    { canIsolate, maxIsolatedDeaths }: { readonly canIsolate: boolean; readonly maxIsolatedDeaths: number },
  ): 'claimed' | 'poisoned' | 'not_now' {
    const lostAttempts = this.lossesOf(turn);
    const isPoisoned = turn.isolatedDeaths >= maxIsolatedDeaths;
    const isIsolated = this.isSuspect(turn, { maxIsolatedDeaths });
    if (isIsolated && !canIsolate) {
      turn.isDispatched = false;
      return 'not_now';
    }
    turn.lostAttempts = lostAttempts;
    turn.hasProgressed = turn.hasUnbegunCall;
    turn.hasUnbegunCall = false;
    turn.attempt += 1;
    turn.epoch += 1;
    Object.assign(turn, { status: 'running', isLeaseOver: false, isDispatched: false, worker });
    const isOver = isPoisoned || turn.isCancelRequested;
    this.claims.push({ turn, epoch: turn.epoch, isOver, isIsolated });
    if (isPoisoned) this.end(turn, 'failed');
    else if (turn.isCancelRequested) this.end(turn, 'cancelled');
    return isPoisoned ? 'poisoned' : 'claimed';
  }

  /** To be run where it can harm nothing else. */
  isSuspect(turn: ModelTurn, { maxIsolatedDeaths }: { readonly maxIsolatedDeaths: number }): boolean {
    const isOnlyToEnd = turn.isolatedDeaths >= maxIsolatedDeaths || turn.isCancelRequested;
    return this.lossesOf(turn) >= SUSPECT_AFTER_LOSSES && !isOnlyToEnd;
  }

  private lossesOf(turn: ModelTurn): number {
    if (turn.status !== 'running') return turn.lostAttempts;
    return turn.hasProgressed ? 1 : turn.lostAttempts + 1;
  }

  /** Enough of it ends the turn. */
  dieInIsolation(turn: ModelTurn, maxDeaths: number): void {
    turn.isolatedDeaths += 1;
    if (turn.isolatedDeaths >= maxDeaths) this.end(turn, 'failed');
    else this.release(turn);
  }

  holds({ turn, epoch }: ModelClaim): boolean {
    return turn.status === 'running' && turn.epoch === epoch;
  }

  /** What never ran ends at once; what waits is sent again, to be ended. */
  cancel(turn: ModelTurn): void {
    if (turn.status === 'queued' && turn.attempt === 0) this.end(turn, 'cancelled');
    else {
      turn.isCancelRequested = true;
      if (turn.status === 'queued') turn.isDispatched = false;
    }
  }

  end(turn: ModelTurn, status: 'completed' | 'failed' | 'cancelled'): void {
    Object.assign(turn, { status, isDispatched: false, isLeaseOver: false, worker: null });
  }

  release(turn: ModelTurn): void {
    Object.assign(turn, { status: 'queued', isDispatched: false, isLeaseOver: false, worker: null });
  }

  /** Whoever died may have been holding any job. */
  forgetSent(): void {
    for (const turn of this.turns) if (turn.status === 'queued') turn.isDispatched = false;
  }

  /** Marks and answers what is due; `again`: also what was sent and got lost. */
  dispatch(again: boolean): ModelTurn[] {
    const due = this.turns.filter((turn) => this.isRunnable(turn) && (again || !turn.isDispatched));
    for (const turn of due) turn.isDispatched = true;
    return due;
  }
}

export function isUnsettled(turn: ModelTurn): boolean {
  return turn.status === 'queued' || turn.status === 'running';
}
