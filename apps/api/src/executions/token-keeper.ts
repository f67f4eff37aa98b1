import { Injectable } from '@nestjs/common';
import type { SealToken } from '#libs/executions';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import { executionTokenPlace, SecretBox } from '#libs/secrets';

/** Seals the secrets of requests, so that none is stored in the clear. */
@Injectable()
export class TokenKeeper {
  constructor(private readonly box: SecretBox) {}

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  readonly seal: SealToken = ({ tenantId, executionId }, name, secret) =>
    this.box.seal(secret, executionTokenPlace(tenantId, executionId, name));

  /**
   * The body with a keyed fingerprint in place of each secret, so that a hash of it reveals no secret, even to a reader who
   * knows the rest. Throws `ENCRYPTION_NOT_CONFIGURED` where the body has secrets.
   * @param place the scope in which equal secrets get equal fingerprints
   */
  conceal(body: JsonValue, place: string): JsonValue {
    if (!isJsonObject(body) || !isJsonObject(body['tokens'])) return body;
    const concealed = Object.entries(body['tokens']).map(([name, secret]) => {
      const of = `${place}/${name}`;
      return [name, this.box.fingerprint(JSON.stringify(secret), of)];
    });
    return { ...body, tokens: Object.fromEntries(concealed) as Record<string, string> };
  }
}
