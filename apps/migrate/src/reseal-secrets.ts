import {
  ConnectionGrantStore,
  createDataSource,
  DomainSecretStore,
  ExecutionTokenStore,
  LlmStore,
  resealRevocations,
  ToolServerOAuthStore,
  ToolServerStore,
  WebhookSecretStore,
} from '#libs/persistence';
import {
  connectionPlace,
  domainSecretPlace,
  executionTokenPlace,
  llmKeyPlace,
  parseKeyring,
  SecretBox,
  toolServerOAuthPlace,
  toolServerPlace,
  webhookSecretPlace,
  type SecretPlace,
} from '#libs/secrets';
import { wholeDatabase } from './database.js';

/** Seals every stored secret again with the first key of the ring, so that old keys can be removed. Answers their number. */
export async function resealSecrets(url: string, encryptionKey: string): Promise<number> {
  const box = new SecretBox(parseKeyring(encryptionKey));
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  const renew = (sealed: string, place: SecretPlace): string | null =>
    box.isCurrent(sealed) ? null : box.reseal(sealed, place);
  const ofServer = (
    sealed: string,
    { tenantId, serverId }: { readonly tenantId: string; readonly serverId: string },
  ) => renew(sealed, toolServerPlace(tenantId, serverId));
  const ofConnection = (
    sealed: string,
    { tenantId, connectionId }: { readonly tenantId: string; readonly connectionId: string },
  ) => renew(sealed, connectionPlace(tenantId, connectionId));
  try {
    const keys = await new LlmStore(dataSource).resealKeys((sealed, { tenantId, llmId }) =>
      renew(sealed, llmKeyPlace(tenantId, llmId)),
    );
    const secrets = await new WebhookSecretStore(dataSource).resealAll((sealed, { tenantId, endpointId }) =>
      renew(sealed, webhookSecretPlace(tenantId, endpointId)),
    );
    const tokens = await new ExecutionTokenStore(dataSource).resealAll(
      (sealed, { tenantId, executionId, name }) =>
        renew(sealed, executionTokenPlace(tenantId, executionId, name)),
    );
    const literals = await new ToolServerStore(dataSource).resealLiterals(ofServer);
    const grants = await new ToolServerOAuthStore(dataSource).resealAll(
      (sealed, { tenantId, serverId, kind }) => renew(sealed, toolServerOAuthPlace(tenantId, serverId, kind)),
    );
    const connections = await new ConnectionGrantStore(dataSource).resealAll(ofConnection);
    const waiting =
      (await resealRevocations(dataSource, 'grantSealed', ofConnection)) +
      (await resealRevocations(dataSource, 'literalsSealed', ofServer));
    const ofDomains = await new DomainSecretStore(dataSource).resealAll((sealed, { tenantId, name }) =>
      renew(sealed, domainSecretPlace(tenantId, name)),
    );
    return keys + secrets + tokens + literals + grants + connections + waiting + ofDomains;
  } finally {
    await dataSource.destroy();
  }
}
