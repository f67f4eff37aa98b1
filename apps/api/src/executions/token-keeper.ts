import { Injectable } from '@nestjs/common';
import type { SealToken } from '#libs/executions';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import { executionTokenPlace, SecretBox } from '#libs/secrets';

/** Takes the secrets of requests: nothing of them is stored but sealed. */
@Injectable()
export class TokenKeeper {
  constructor(private readonly box: SecretBox) {}

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  readonly seal: SealToken = ({ tenantId, executionId }, name, secret) =>
    this.box.seal(secret, executionTokenPlace(tenantId, executionId, name));

  /**
   * A body with what distinguishes its secrets in their place, so that what is made of it says nothing of them, also to
   * whoever knows the rest. Throws `ENCRYPTION_NOT_CONFIGURED` where it has any.
   *
   * @param place where the secrets are compared with each other, and nowhere else
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
