import type { Claim } from '#libs/executions';
import type { StagedChange } from '#libs/tooling';
import type { BatchExecutor } from '#libs/concurrency';
import type { DataSource } from 'typeorm';
import { appendAlone, appendTogether } from './append-facts.js';
import type { ExecutionEndings } from './execution-endings.js';
import {
  inlineDeliveriesOf,
  settleAlone,
  settleTogether,
  type PreparedEnding,
  type SettledRow,
} from './settle-batch.js';
import { offering, type InlineDeliveryOffer } from '../webhooks/inline-deliveries.js';
import { writeTogether, type LockedRow, type Prepared } from './write-together.js';

/**
 * Writes of all attempts of a process; simultaneous writes share a statement and a commit. Each row is fenced by its
 * claim's token, and rows succeed or fail independently.
 */
export class ExecutionWrites {
  private readonly appends: BatchExecutor<Prepared, LockedRow | null>;
  private readonly settlements: BatchExecutor<PreparedEnding, SettledRow | null>;

  constructor(
    readonly dataSource: Pick<DataSource, 'query' | 'transaction'>,
    readonly endings: ExecutionEndings,
  ) {
    this.appends = writeTogether(
      (items) => appendTogether(dataSource, items),
      (item) => appendAlone(dataSource, item),
    );
    this.settlements = writeTogether(
      (items) => this.settleAll(items),
      (item) => this.settleOne(item),
    );
  }

  /** Returns whether the claim holds the execution; otherwise no row was written. */
  async append(item: Prepared): Promise<boolean> {
    return (await this.appends.call(item)) !== null;
  }

  /** Null if the claim does not hold the execution; no row was written then. */
  settle(item: PreparedEnding): Promise<SettledRow | null> {
    return this.settlements.call(item);
  }

  /**
   * Settles with staged changes of the domain in a transaction of its own. The execution is locked and its claim checked
   * before the first change.
   * @param facts facts that the ending itself does not write
   */
  async settleWithChanges(
    claim: Claim,
    facts: Prepared,
    ending: PreparedEnding,
    staged: readonly StagedChange[],
  ): Promise<SettledRow | null> {
    const settling = (offer: InlineDeliveryOffer | null) =>
      this.dataSource.transaction(async (manager) => {
        if ((await appendAlone(manager, facts)) === null) return null;
        await this.endings.apply(manager, claim, staged);
        return settleAlone(manager, ending, offer);
      });
    const row = await offering(this.endings.inlineDeliveries, 1, async (offer) => {
      const settled = await settling(offer);
      return { answer: settled, inlineDeliveries: inlineDeliveriesOf([settled], [ending]) };
    });
    this.announceWaiting([row]);
    return row;
  }

  private async settleAll(items: readonly PreparedEnding[]): Promise<SettledRow[]> {
    const rows = await offering(this.endings.inlineDeliveries, items.length, async (offer) => {
      const settled = await settleTogether(this.dataSource, items, offer);
      return { answer: settled, inlineDeliveries: inlineDeliveriesOf(settled, items) };
    });
    this.announceWaiting(rows);
    return rows;
  }

  private async settleOne(item: PreparedEnding): Promise<SettledRow | null> {
    const row = await offering(this.endings.inlineDeliveries, 1, async (offer) => {
      const settled = await settleAlone(this.dataSource, item, offer);
      return { answer: settled, inlineDeliveries: inlineDeliveriesOf([settled], [item]) };
    });
    this.announceWaiting([row]);
    return row;
  }

  private announceWaiting(rows: readonly (SettledRow | null)[]): void {
    if (rows.some((row) => row?.has_waiting === true)) this.endings.onWaiting();
    if (rows.some((row) => row?.is_to_be_learnt === true)) this.endings.onLearning();
  }
}
