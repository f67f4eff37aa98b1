import { ContendedExecution } from '../fakes/executions/contended-execution.js';

type Take = ContendedExecution['take'];

/** A claim that is not flushed yet, and the state before it. */
interface AsynchronousClaim {
  readonly token: string;
  readonly before: Partial<ForgetfulExecution>;
  readonly facts: number;
  readonly epochsAfterCancel: number;
  readonly wasCancelRequested: boolean;
}

/**
 * An execution in a database that answers a claim before its flush, as under `synchronous_commit = off`. A crash forgets the
 * claim, unless a later write has flushed the log.
 */
export class ForgetfulExecution extends ContendedExecution {
  /** The tokens of claims that were made and then forgotten. */
  readonly forgotten: string[] = [];
  private latest: AsynchronousClaim | null = null;

  override take(...[rules, token]: Parameters<Take>): ReturnType<Take> {
    const { forgotten: _kept, latest: _replaced, ...before } = this;
    const [facts, epochsAfterCancel] = [this.facts.length, this.epochsAfterCancel.length];
    const wasCancelRequested = this.isCancelRequested;
    const taken = super.take(rules, token);
    if (taken !== null && taken !== 'not_now')
      this.latest = { token: taken.token, before, facts, epochsAfterCancel, wasCancelRequested };
    return taken;
  }

  /** Crashes the database, which recovers the flushed state; the worker with the claim gets no notice. */
  forgetClaim(): void {
    const { latest, isTimeUp } = this;
    if (latest === null || !this.isUnwrittenSince(latest)) return;
    this.epochsAfterCancel.length = latest.epochsAfterCancel;
    Object.assign(this, latest.before, { isTimeUp });
    this.forgotten.push(latest.token);
    this.latest = null;
  }

  private isUnwrittenSince({ token, facts, wasCancelRequested }: AsynchronousClaim): boolean {
    const isSame = this.facts.length === facts && this.isCancelRequested === wasCancelRequested;
    return isSame && this.isHeldBy({ token });
  }
}
