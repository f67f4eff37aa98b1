import { chatParameters } from '../wire/chat-completions/chat-parameters.js';
import { ClientProvider } from '../calls/client-provider.js';
import { chatProtocol } from './chat-protocol.js';
import { compatibleCredentials, dialectOf } from './compatible-credentials.js';

/** Servers with the Chat Completions API, e.g. vLLM, Ollama, LiteLLM, Azure and OpenRouter. */
export const compatibleProvider = new ClientProvider({
  id: 'openai_compatible',
  label: 'OpenAI-compatible servers (Chat Completions)',
  credentials: compatibleCredentials,
  parameters: chatParameters,
  models: [],
  toleratedFailures: ['model_not_found'],
  protocolFor: (options) => chatProtocol(dialectOf(options)),
  addressFor: ({ apiKey, options }) => {
    const version = options['api_version'];
    if (typeof version !== 'string') return {};
    const query = { 'api-version': version };
    // Azure's dated APIs expect the key in `api-key`; bearer tokens are for its directory service.
    return apiKey === null ? { query } : { query, headers: { Authorization: null, 'api-key': apiKey } };
  },
});
