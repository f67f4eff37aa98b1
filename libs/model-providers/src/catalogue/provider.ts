interface CredentialField {
  readonly variable: string;
  readonly label: string;
  readonly type: 'secret-input' | 'text-input';
  readonly required: boolean;
  readonly default?: string;
}

/** What a user fills in to reach a provider (S1-7 … S1-11); `normalizeCredentials` reads it. */
const CREDENTIAL_FIELDS: readonly CredentialField[] = [
  { variable: 'openai_api_key', label: 'API key', type: 'secret-input', required: true },
  { variable: 'openai_organization', label: 'Organization', type: 'text-input', required: false },
  { variable: 'openai_api_base', label: 'API base', type: 'text-input', required: false, default: '' },
  {
    variable: 'request_timeout_seconds',
    label: 'Request timeout in seconds (30 to 900)',
    type: 'text-input',
    required: false,
    default: '300',
  },
  {
    variable: 'max_retries',
    label: 'Retries (0 to 5)',
    type: 'text-input',
    required: false,
    default: '1',
  },
];

/** The model provider as forms show it (S1-6). */
export const OPENAI_PROVIDER = {
  id: 'openai',
  label: 'OpenAI and compatible servers (Responses API)',
  supported_model_types: ['llm'],
  configurate_methods: ['predefined-model', 'customizable-model'],
  provider_credential_schema: CREDENTIAL_FIELDS,
  model_credential_schema: CREDENTIAL_FIELDS,
} as const;
