/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  /** Null when it goes to the URL that came with the execution. */
  readonly endpointId: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secretSealed: string | null;
  /** What the secret replaced, as long as it still signs. */
  readonly previousSecretSealed: string | null;
  readonly body: string;
  /** From 1, over the whole life of the delivery. */
  readonly attempt: number;
  /** From 1 again after every redelivery: where the schedule is. */
  readonly scheduledAttempt: number;
  /** The database's clock: the `webhook-timestamp` of this attempt. */
  readonly now: Date;
  /** When that happened which it reports. */
  readonly createdAt: Date;
}

/** Where a delivery goes, and what signs it, in the words of every statement that leases one. */
export interface DeliveryTargetRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly endpoint_id: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secret_sealed: string | null;
  readonly previous_secret_sealed: string | null;
}

/** @param attempt what is not the target's own: body, counters and times */
export function toClaimedDelivery(
  row: DeliveryTargetRow,
  attempt: Pick<ClaimedDelivery, 'body' | 'attempt' | 'scheduledAttempt' | 'now' | 'createdAt'>,
): ClaimedDelivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    receiver: row.receiver,
    url: row.url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    ...attempt,
  };
}
