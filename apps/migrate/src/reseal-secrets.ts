import { createDataSource, LlmStore } from '#libs/persistence';
import { llmKeyPlace, parseKeyring, SecretBox } from '#libs/secrets';
import { wholeDatabase } from './database.js';

/** Seals every stored secret anew with the first key of the ring; old keys can be removed afterwards. Answers how many. */
export async function resealSecrets(url: string, encryptionKey: string): Promise<number> {
  const box = new SecretBox(parseKeyring(encryptionKey));
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    return await new LlmStore(dataSource).resealKeys((sealed, tenantId, llmId) =>
      box.isCurrent(sealed) ? null : box.reseal(sealed, llmKeyPlace(tenantId, llmId)),
    );
  } finally {
    await dataSource.destroy();
  }
}
