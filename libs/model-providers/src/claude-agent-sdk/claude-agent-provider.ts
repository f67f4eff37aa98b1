import type { ModelPort } from '#libs/agent-core';
import type { Embedder } from '#libs/knowledge';
import { AppError } from '#libs/kernel';
import { ANTHROPIC_HOME, anthropicProvider } from '../anthropic/anthropic-provider.js';
import { CLAUDE_ALIASES, CLAUDE_MODELS } from '../anthropic/claude-models.js';
import { BEDROCK_ALIASES, BEDROCK_MODELS } from '../bedrock/bedrock-models.js';
import { bedrockHome, bedrockProvider } from '../bedrock/bedrock-provider.js';
import type { CredentialCheck } from '../calls/check-credentials.js';
import type { ClientConnection } from '../calls/connection.js';
import { invalidCredential } from '../provider/credential-form.js';
import type { CallSurroundings, ModelProvider, ProviderConnection } from '../provider/model-provider.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
import { backendOf } from './engine-environment.js';
import { engineCredentials } from './engine-credentials.js';
import { EngineModel } from './engine-model.js';
import { engineParameters } from './engine-parameters.js';
import { EnginePlaces } from './engine-places.js';
import { EngineWatch } from './engine-watch.js';

/**
 * The Claude Agent SDK as the engine of an agent: it turns the loop and asks the model, and this service runs every
 * tool.
 */
export const claudeAgentProvider: ModelProvider = {
  id: 'claude_agent_sdk',
  label: 'Claude Agent SDK (Anthropic or Bedrock)',
  hasEngine: true,
  credentials: engineCredentials,
  parameters: engineParameters,
  models: [...CLAUDE_MODELS, ...BEDROCK_MODELS],
  aliases: CLAUDE_ALIASES,
  connect,
  embedder,
  checkCredentials: (connection, signal) => {
    const [provider, direct] = directly(connection);
    return provider.checkCredentials(direct, signal);
  },
  checkModel: (connection, model, signal): Promise<CredentialCheck> => {
    const [provider, direct] = directly(connection);
    return provider.checkModel(direct, resolveAlias(aliasesFor(connection), model), signal);
  },
};

/** For callers without a number of their own; they all share the memory of this process. */
const placesByMemory = new EnginePlaces();

function connect(connection: ProviderConnection, surroundings: CallSurroundings = {}): ModelPort {
  if (connection.dispatcher !== undefined)
    throw invalidCredential(
      'claude_agent_base',
      'claude_agent_base is allowed only where MODEL_ALLOW_PRIVATE_HOSTS is true, because the engine opens its connections itself',
    );
  const { engine, ...others } = surroundings;
  const aliases = aliasesFor(connection);
  const [provider, direct] = directly(connection);
  return new EngineModel({
    ...{ sdk: '', places: placesByMemory, ...engine },
    ...{ connection, aliases },
    direct: provider.connect({ ...direct, aliases }, others),
    watch: new EngineWatch({ ...others, aliases, server: serverOf(connection) }),
  });
}

function serverOf(connection: ProviderConnection): ClientConnection {
  const backend = backendOf(connection, connection.options);
  const isBedrock = backend.kind === 'bedrock';
  return { ...connection, home: isBedrock ? bedrockHome(backend.region) : ANTHROPIC_HOME };
}

function embedder(): Embedder {
  throw new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: 'the provider claude_agent_sdk has no embedding models',
  });
}

function aliasesFor({ aliases, options }: ProviderConnection): ModelAliases {
  const isBedrock = options['claude_agent_backend'] === 'bedrock';
  return { ...(isBedrock ? BEDROCK_ALIASES : CLAUDE_ALIASES), ...aliases };
}

/** The provider that the engine asks, with the same key: a check needs no engine. */
function directly(connection: ProviderConnection): readonly [ModelProvider, ProviderConnection] {
  const backend = backendOf(connection, connection.options);
  const { aliases: _aliases, ...rest } = connection;
  if (backend.kind === 'bedrock')
    return [bedrockProvider, { ...rest, options: { bedrock_region: backend.region } }];
  const { baseUrl } = connection;
  return [anthropicProvider, { ...rest, baseUrl: baseUrl === null ? null : `${baseUrl}/v1`, options: {} }];
}
