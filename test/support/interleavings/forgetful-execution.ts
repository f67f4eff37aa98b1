import { ContendedExecution } from '../fakes/executions/contended-execution.js';

type Take = ContendedExecution['take'];

/** What a claim has changed, and what was there before. */
interface AsynchronousClaim {
  readonly token: string;
  readonly before: Partial<ForgetfulExecution>;
  readonly facts: number;
  readonly epochsAfterCancel: number;
  readonly wasCancelRequested: boolean;
}

/**
 * An execution in a database that answers a claim before it is on the disk, as `synchronous_commit = off` does. A crash of
 * the database forgets the claim, unless anything has been written since: the log is durable up to every write that is.
 */
export class ForgetfulExecution extends ContendedExecution {
  /** The tokens of claims that were granted and forgotten. */
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

  /** The database has crashed, and recovers with what was on the disk; whoever holds the claim learns nothing of it. */
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
