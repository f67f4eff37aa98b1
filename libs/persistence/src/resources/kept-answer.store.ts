import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** A request under an idempotency key. */
export interface KeyedRequest {
  readonly tenantId: string;
  readonly key: string;
  /** Hash of route and body: equal for the same request. */
  readonly requestHash: string;
  /** UUID of this HTTP request, which alone may write the answer. */
  readonly claim: string;
}

/** An HTTP answer. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type KeyedStart =
  /** The caller carries out the request now. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** The key was used for another request. */
  | { readonly kind: 'key_reused' }
  /** The same request is being carried out and has no answer yet. */
  | { readonly kind: 'under_way' };

const KEPT_FOR = `interval '24 hours'`;
/** Longer than any request takes: an older claim belongs to a dead process. */
const CLAIMED_FOR = `interval '6 minutes'`;

/** Answers to requests with an idempotency key. */
export class KeptAnswerStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Claims the key for the request, or returns the state of the earlier request. */
  async begin({ tenantId, key, requestHash, claim }: KeyedRequest): Promise<KeyedStart> {
    const begun = await queryRows(
      this.dataSource,
      `INSERT INTO kept_answer AS known (tenant_id, key, request_hash, claim, claimed_until, expires_at)
       VALUES ($1, $2, $3, $4, now() + ${CLAIMED_FOR}, now() + ${KEPT_FOR})
       ON CONFLICT (tenant_id, key) DO UPDATE
         SET request_hash = excluded.request_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
             status = NULL, headers = NULL, body = NULL, expires_at = excluded.expires_at
       WHERE known.expires_at < now() OR (known.status IS NULL AND known.claimed_until < now())
       RETURNING 1`,
      [tenantId, key, requestHash, claim],
    );
    return begun.length > 0 ? { kind: 'begun' } : this.find(tenantId, key, requestHash);
  }

  private async find(tenantId: string, key: string, requestHash: string): Promise<KeyedStart> {
    const [known] = await queryRows<{
      readonly request_hash: string;
      readonly status: number | null;
      readonly headers: KeptAnswer['headers'] | null;
      readonly body: string | null;
    }>(
      this.dataSource,
      `SELECT request_hash, status, headers, body FROM kept_answer WHERE tenant_id = $1 AND key = $2`,
      [tenantId, key],
    );
    // The row was deleted after the insert met it: the client repeats its request.
    if (known === undefined) return { kind: 'under_way' };
    if (known.request_hash !== requestHash) return { kind: 'key_reused' };
    const { status, headers, body } = known;
    if (status === null) return { kind: 'under_way' };
    return { kind: 'answered', answer: { status, headers: headers ?? {}, body } };
  }

  /** Stores the answer, unless another request has taken over the key. */
  async keep({ tenantId, key, claim }: KeyedRequest, { status, headers, body }: KeptAnswer): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE kept_answer SET status = $4, headers = $5, body = $6
        WHERE tenant_id = $1 AND key = $2 AND claim = $3`,
      [tenantId, key, claim, status, JSON.stringify(headers), body],
    );
  }

  /** Frees the key of a request that had no effect. */
  async forget({ tenantId, key, claim }: KeyedRequest): Promise<void> {
    await queryRows(
      this.dataSource,
      `DELETE FROM kept_answer WHERE tenant_id = $1 AND key = $2 AND claim = $3 AND status IS NULL`,
      [tenantId, key, claim],
    );
  }
}

/** Deletes answers after 24 hours. */
export async function expireKeptAnswers(dataSource: DataSource): Promise<void> {
  await queryRows(dataSource, `DELETE FROM kept_answer WHERE expires_at < now()`);
}
