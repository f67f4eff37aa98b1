import { z } from 'zod';
import { SHARED_FIELDS, sharedShape, type CredentialForm } from '../provider/credential-form.js';

/** Credentials for Anthropic, and for servers with its Messages API. */
export const anthropicCredentials: CredentialForm = {
  keyField: 'anthropic_api_key',
  baseField: 'anthropic_api_base',
  organizationField: null,
  hasHome: true,
  completeBase: (base) => (base.endsWith('/v1') ? base : `${base}/v1`),
  readOptions: () => ({}),
  fields: [
    { variable: 'anthropic_api_key', label: 'API key', type: 'secret-input', required: true },
    { variable: 'anthropic_api_base', label: 'API base', type: 'text-input', required: false, default: '' },
    ...SHARED_FIELDS,
  ],
  shape: {
    anthropic_api_key: z
      .string()
      .max(1_000)
      .optional()
      .describe(
        'Provider `anthropic`. Kept sealed and never shown again; belongs to this `anthropic_api_base`. Without both, the server’s own key and provider are used.',
      ),
    anthropic_api_base: z
      .string()
      .max(2_048)
      .optional()
      .describe('Provider `anthropic`. A server that speaks the Messages API; completed to end in /v1.'),
    ...sharedShape,
  },
};
