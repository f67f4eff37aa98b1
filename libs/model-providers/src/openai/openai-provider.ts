import { responsesParameters } from '../wire/responses/read-model-parameters.js';
import { ClientProvider } from '../calls/client-provider.js';
import { openAiCredentials } from './openai-credentials.js';
import { OPENAI_MODELS } from './predefined-models.js';
import { responsesProtocol } from './responses-protocol.js';

/** OpenAI, and servers with its Responses API (S1-6). */
export const openAiProvider = new ClientProvider({
  id: 'openai',
  label: 'OpenAI and compatible servers (Responses API)',
  credentials: openAiCredentials,
  parameters: responsesParameters,
  models: OPENAI_MODELS,
  toleratedFailures: [],
  protocolFor: () => responsesProtocol,
});
