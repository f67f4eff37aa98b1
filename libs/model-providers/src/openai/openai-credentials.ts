import { z } from 'zod';
import { SHARED_FIELDS, sharedShape, type CredentialForm } from '../provider/credential-form.js';

/** Credential fields of S1-7 … S1-11. */
export const openAiCredentials: CredentialForm = {
  keyField: 'openai_api_key',
  baseField: 'openai_api_base',
  organizationField: 'openai_organization',
  hasHome: true,
  completeBase: (base) => (base.endsWith('/v1') ? base : `${base}/v1`),
  readOptions: () => ({}),
  fields: [
    { variable: 'openai_api_key', label: 'API key', type: 'secret-input', required: true },
    { variable: 'openai_organization', label: 'Organization', type: 'text-input', required: false },
    { variable: 'openai_api_base', label: 'API base', type: 'text-input', required: false, default: '' },
    ...SHARED_FIELDS,
  ],
  shape: {
    openai_api_key: z
      .string()
      .max(1_000)
      .optional()
      .describe(
        'Provider `openai`. Kept sealed and never shown again; belongs to this `openai_api_base`. Without both, the server’s own key and provider are used.',
      ),
    openai_organization: z.string().max(200).optional().describe('Provider `openai`.'),
    openai_api_base: z
      .string()
      .max(2_048)
      .optional()
      .describe('Provider `openai`. A server that speaks the Responses API; completed to end in /v1.'),
    ...sharedShape,
  },
};
