import { messagesParameters } from '../wire/messages/messages-parameters.js';
import { ClientProvider } from '../calls/client-provider.js';
import { anthropicCredentials } from './anthropic-credentials.js';
import { CLAUDE_ALIASES, CLAUDE_MODELS } from './claude-models.js';
import { messagesProtocol } from './messages-protocol.js';

/** Version of the API, as its provider dates it. */
const API_VERSION = '2023-06-01';

/** URL of Anthropic. */
export const ANTHROPIC_HOME = 'https://api.anthropic.com/v1';

/** Anthropic, and servers with its Messages API. */
export const anthropicProvider = new ClientProvider({
  id: 'anthropic',
  label: 'Anthropic and compatible servers (Messages API)',
  credentials: anthropicCredentials,
  parameters: messagesParameters,
  models: CLAUDE_MODELS,
  aliases: CLAUDE_ALIASES,
  toleratedFailures: ['model_not_found'],
  protocolFor: () => messagesProtocol,
  addressFor: ({ apiKey }) => ({
    home: ANTHROPIC_HOME,
    headers: {
      Authorization: null,
      'anthropic-version': API_VERSION,
      ...(apiKey !== null && { 'x-api-key': apiKey }),
    },
  }),
});
