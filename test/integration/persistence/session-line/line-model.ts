/** Expected state of one execution. */
export interface ModelTurn {
  readonly session: number;
  readonly turnNumber: number;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  attempt: number;
  epoch: number;
  lostAttempts: number;
  isolatedDeaths: number;
  /** True if the running or latest attempt wrote a fact. */
  hasProgressed: boolean;
  /** True if the model asked for a call that has not begun: the next attempt begins it and writes a fact. */
  hasUnbegunCall: boolean;
  isLeaseOver: boolean;
  isDispatched: boolean;
  isCancelRequested: boolean;
  worker: string | null;
}

/** A claim that a worker got; it may be invalid by now. */
export interface ModelClaim {
  readonly turn: ModelTurn;
  readonly epoch: number;
  /** True if the attempt stopped: it ended the turn, or learned that its claim is invalid. */
  isOver: boolean;
  /** True if the attempt runs in a process of its own. */
  readonly isIsolated: boolean;
}

/** Lost attempts that make a turn a suspect; low, so that random histories reach it. */
export const SUSPECT_AFTER_LOSSES = 1;

/** Reference model of the stores: the lines of sessions, without SQL. */
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

  /** True for the first unsettled turn of its session, unless a worker holds a lease on it. */
  isRunnable(turn: ModelTurn): boolean {
    const head = this.unsettled.find((other) => other.session === turn.session);
    return head === turn && (turn.status === 'queued' || (turn.status === 'running' && turn.isLeaseOver));
  }

  /**
   * A worker without isolation gets no suspect, and the loss is counted with the next claim. The claim of a poisoned or
   * cancelled turn ends it.
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

  /** True if the turn must run in a process of its own. */
  isSuspect(turn: ModelTurn, { maxIsolatedDeaths }: { readonly maxIsolatedDeaths: number }): boolean {
    const isOnlyToEnd = turn.isolatedDeaths >= maxIsolatedDeaths || turn.isCancelRequested;
    return this.lossesOf(turn) >= SUSPECT_AFTER_LOSSES && !isOnlyToEnd;
  }

  private lossesOf(turn: ModelTurn): number {
    if (turn.status !== 'running') return turn.lostAttempts;
    return turn.hasProgressed ? 1 : turn.lostAttempts + 1;
  }

  /** Counts a death; `maxDeaths` deaths fail the turn. */
  dieInIsolation(turn: ModelTurn, maxDeaths: number): void {
    turn.isolatedDeaths += 1;
    if (turn.isolatedDeaths >= maxDeaths) this.end(turn, 'failed');
    else this.release(turn);
  }

  holds({ turn, epoch }: ModelClaim): boolean {
    return turn.status === 'running' && turn.epoch === epoch;
  }

  /** Ends a turn that never ran. Any other queued turn becomes due for dispatch, so that a worker ends it. */
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

  /** Makes all queued turns due for dispatch, because the dead worker may have held any of their jobs. */
  forgetSent(): void {
    for (const turn of this.turns) if (turn.status === 'queued') turn.isDispatched = false;
  }

  /** Marks due turns as dispatched and returns them; with `again`, jobs already dispatched count as lost. */
  dispatch(again: boolean): ModelTurn[] {
    const due = this.turns.filter((turn) => this.isRunnable(turn) && (again || !turn.isDispatched));
    for (const turn of due) turn.isDispatched = true;
    return due;
  }
}

export function isUnsettled(turn: ModelTurn): boolean {
  return turn.status === 'queued' || turn.status === 'running';
}
