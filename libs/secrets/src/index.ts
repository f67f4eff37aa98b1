export { parseKeyring, type EncryptionKey, type Keyring } from './keyring.js';
export {
  connectionPlace,
  domainSecretPlace,
  executionTokenPlace,
  keptAnswerPlace,
  llmKeyPlace,
  toolServerOAuthPlace,
  toolServerPlace,
  toolTrialPlace,
  webhookSecretPlace,
} from './secret-places.js';
export { SecretBox, type SecretPlace } from './secret-box.js';
export { SecretsModule } from './secrets.module.js';
export { generateWebhookSecret, isWebhookSecret, WEBHOOK_SECRET } from './webhook-secret.js';
