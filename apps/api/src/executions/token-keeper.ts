import type { FactoryProvider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { SealToken } from '#libs/executions';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import { executionTokenPlace, parseKeyring, SecretBox } from '#libs/secrets';
import { API_CONFIG } from '../api.tokens.js';
import { cannotKeepTokens } from './executions.faults.js';

/** Takes the secrets of requests: nothing of them is stored but sealed. */
export class TokenKeeper {
  /** `box` is null where no key for sealing is configured. */
  constructor(private readonly box: SecretBox | null) {}

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  readonly seal: SealToken = ({ tenantId, executionId }, name, secret) =>
    this.requireBox().seal(secret, executionTokenPlace(tenantId, executionId, name));

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
      return [name, this.requireBox().fingerprint(JSON.stringify(secret), of)];
    });
    return { ...body, tokens: Object.fromEntries(concealed) as Record<string, string> };
  }

  private requireBox(): SecretBox {
    if (this.box === null) throw cannotKeepTokens();
    return this.box;
  }
}

export const tokenKeeperProvider: FactoryProvider<TokenKeeper> = {
  provide: TokenKeeper,
  inject: [API_CONFIG],
  useFactory: ({ encryptionKey }: AppConfig) =>
    new TokenKeeper(encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey))),
};
