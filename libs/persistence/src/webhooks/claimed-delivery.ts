/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly tenantId: string;
  /** Null for the URL given with the execution. */
  readonly endpointId: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secretSealed: string | null;
  /** The replaced secret while it is still valid. */
  readonly previousSecretSealed: string | null;
  readonly body: string;
  /** From 1, over the whole life of the delivery. */
  readonly attempt: number;
  /** Position in the retry schedule: from 1, and again from 1 after each redelivery. */
  readonly scheduledAttempt: number;
  /** The database's clock: the `webhook-timestamp` of this attempt. */
  readonly now: Date;
  /** Time of the reported event. */
  readonly createdAt: Date;
}

/** Target and secrets of a delivery, as all leasing statements return them. */
export interface DeliveryTargetRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly endpoint_id: number | null;
  readonly receiver: string;
  readonly url: string;
  readonly secret_sealed: string | null;
  readonly previous_secret_sealed: string | null;
}

/** @param attempt fields beside the target: body, counters and times */
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
