import { chatParameters } from '#libs/payloads';
import { ClientProvider } from '../calls/client-provider.js';
import { chatProtocol } from './chat-protocol.js';
import { compatibleCredentials, dialectOf } from './compatible-credentials.js';

/** Whoever speaks Chat Completions: vLLM, Ollama, LiteLLM, Azure, OpenRouter and the rest of the world. */
export const compatibleProvider = new ClientProvider({
  id: 'openai_compatible',
  label: 'OpenAI-compatible servers (Chat Completions)',
  credentials: compatibleCredentials,
  parameters: chatParameters,
  models: [],
  alwaysListsModels: false,
  protocolFor: (options) => chatProtocol(dialectOf(options)),
  addressFor: ({ apiKey, options }) => {
    const version = options['api_version'];
    if (typeof version !== 'string') return {};
    const query = { 'api-version': version };
    // Azure's dated APIs take a bearer token for one of its directory, and a key in a header of its own.
    return apiKey === null ? { query } : { query, headers: { Authorization: null, 'api-key': apiKey } };
  },
});
