import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { DEFAULT_REGION, readRegion } from '../bedrock/bedrock-credentials.js';
import {
  invalidCredential,
  SHARED_FIELDS,
  sharedShape,
  type CredentialForm,
} from '../provider/credential-form.js';
import { readText } from '../provider/credentials.js';

const BACKENDS = ['anthropic', 'bedrock'] as const;

/** Credentials for the Claude Agent SDK, which asks Anthropic or Amazon Bedrock. */
export const engineCredentials: CredentialForm = {
  keyField: 'claude_agent_key',
  baseField: 'claude_agent_base',
  organizationField: null,
  hasHome: true,
  completeBase: (base) => base.replace(/\/v1$/, ''),
  readOptions,
  fields: [
    {
      variable: 'claude_agent_key',
      label: 'API key; for Bedrock also ACCESS_KEY_ID:SECRET_ACCESS_KEY',
      type: 'secret-input',
      required: true,
    },
    {
      variable: 'claude_agent_backend',
      label: 'Where the models run: anthropic or bedrock',
      type: 'text-input',
      required: false,
      default: 'anthropic',
    },
    {
      variable: 'claude_agent_region',
      label: 'Region of Bedrock',
      type: 'text-input',
      required: false,
      default: DEFAULT_REGION,
    },
    { variable: 'claude_agent_base', label: 'API base', type: 'text-input', required: false, default: '' },
    ...SHARED_FIELDS,
  ],
  shape: {
    claude_agent_key: z
      .string()
      .max(4_000)
      .optional()
      .describe(
        'Provider `claude_agent_sdk`, always needed. An API key of Anthropic; with `claude_agent_backend` `bedrock` one of Bedrock, or `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, with `:SESSION_TOKEN` where they are temporary. Kept sealed and never shown again.',
      ),
    claude_agent_backend: z
      .string()
      .max(20)
      .optional()
      .describe('Provider `claude_agent_sdk`. Where the models run: `anthropic` (default) or `bedrock`.'),
    claude_agent_region: z
      .string()
      .max(40)
      .optional()
      .describe('Provider `claude_agent_sdk` with `bedrock`. The region; us-west-2 by default.'),
    claude_agent_base: z
      .string()
      .max(2_048)
      .optional()
      .describe(
        'Provider `claude_agent_sdk`. A server with the Messages API, or an address of Bedrock, in place of their own. Only where `MODEL_ALLOW_PRIVATE_HOSTS` is true: the engine opens its connections itself, so that internal addresses cannot be kept from it.',
      ),
    ...sharedShape,
  },
};

function readOptions(raw: Readonly<Record<string, unknown>>): JsonObject {
  const backend = readText(raw['claude_agent_backend']);
  const region = readText(raw['claude_agent_region']);
  if (backend !== '' && !BACKENDS.some((known) => known === backend))
    throw invalidCredential('claude_agent_backend', `claude_agent_backend must be ${BACKENDS.join(' or ')}`);
  return {
    ...(backend !== '' && { claude_agent_backend: backend }),
    ...(region !== '' && { claude_agent_region: readRegion('claude_agent_region', region) }),
  };
}
