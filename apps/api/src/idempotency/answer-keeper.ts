import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertNever, canonicalJson, type JsonValue } from '#libs/kernel';
import { KeptAnswerStore, type KeptAnswer, type KeyedRequest } from '#libs/persistence';
import { keptAnswerPlace, SecretBox, type SecretPlace } from '#libs/secrets';
import { hashRequest } from './idempotency-key.js';
import { cannotKeepSecret, idempotencyKeyReused, keyUnderWay } from './idempotency.errors.js';

/** A request with an idempotency key, and all fields that distinguish it from others. */
export interface RequestUnderKey {
  readonly tenantId: string;
  readonly key: string;
  /** Method, path and query. */
  readonly route: string;
  readonly body: JsonValue;
  /** Id of the caller's API key; null with `AUTH=off`. */
  readonly keyId: string | null;
  /** Whether the answer shows a secret; it is then replayed only to the same API key. */
  readonly showsSecret: boolean;
}

type BegunRequest =
  | { readonly kind: 'begun'; readonly request: KeyedRequest }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer };

/** Stores answers for repeated requests; bodies are sealed if a key ring is configured. */
@Injectable()
export class AnswerKeeper {
  constructor(
    private readonly store: KeptAnswerStore,
    private readonly box: SecretBox,
  ) {}

  /**
   * Starts the request, or returns the stored answer of an identical one. Throws `IDEMPOTENCY_KEY_REUSED`,
   * `IDEMPOTENCY_KEY_UNDER_WAY`, and `ENCRYPTION_NOT_CONFIGURED` where a secret would be stored in the clear.
   */
  async begin(given: RequestUnderKey): Promise<BegunRequest> {
    if (given.showsSecret && !this.box.isConfigured) throw cannotKeepSecret();
    const { tenantId, key } = given;
    const request = { tenantId, key, requestHash: this.hash(given), claim: randomUUID() };
    const start = await this.store.begin(request);
    switch (start.kind) {
      case 'begun':
        return { kind: 'begun', request };
      case 'answered':
        return { kind: 'answered', answer: this.open(request, start.answer) };
      case 'key_reused':
        throw idempotencyKeyReused();
      case 'under_way':
        throw keyUnderWay();
      default:
        return assertNever(start);
    }
  }

  keep(request: KeyedRequest, answer: KeptAnswer): Promise<void> {
    return this.store.keep(request, this.seal(request, answer));
  }

  forget(request: KeyedRequest): Promise<void> {
    return this.store.forget(request);
  }

  /** A keyed hash if sealing is configured, since a secret in the body could be guessed from a plain one. */
  private hash({ tenantId, key, route, body, keyId, showsSecret }: RequestUnderKey): string {
    const said = showsSecret ? { body, keyId } : { body };
    if (!this.box.isConfigured) return hashRequest(route, said);
    return this.box.fingerprint(`${route}\n${canonicalJson(said)}`, keptAnswerPlace(tenantId, key));
  }

  private seal(request: KeyedRequest, answer: KeptAnswer): KeptAnswer {
    const { box } = this;
    if (!box.isConfigured || answer.body === null) return answer;
    return { ...answer, body: box.seal(answer.body, placeOf(request)) };
  }

  private open(request: KeyedRequest, answer: KeptAnswer): KeptAnswer {
    const { box } = this;
    if (!box.isConfigured || answer.body === null) return answer;
    return { ...answer, body: box.open(answer.body, placeOf(request)) };
  }
}

function placeOf({ tenantId, key }: KeyedRequest): SecretPlace {
  return keptAnswerPlace(tenantId, key);
}
