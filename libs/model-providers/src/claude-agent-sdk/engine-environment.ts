import type { JsonObject } from '#libs/kernel';
import { DEFAULT_REGION } from '../bedrock/bedrock-credentials.js';
import { readBedrockKey } from '../bedrock/bedrock-key.js';

/** Where the models of the engine run. */
export type Backend =
  | { readonly kind: 'anthropic'; readonly apiKey: string | null; readonly baseUrl: string | null }
  | {
      readonly kind: 'bedrock';
      readonly apiKey: string | null;
      readonly baseUrl: string | null;
      readonly region: string;
    };

export interface EngineRun {
  readonly backend: Backend;
  readonly model: string;
  /** Ids of the models that the names `sonnet` and `haiku` stand for. */
  readonly sonnet: string;
  readonly haiku: string;
  /** Folder of one run, with everything that the engine writes. */
  readonly home: string;
  readonly maxOutputTokens: number;
}

/** Longest tool call that the engine waits for, in milliseconds: longer than any engine lives. */
const TOOL_TIMEOUT_MS = 100_000_000;
const MAX_TOOL_OUTPUT_TOKENS = 1_000_000;

/**
 * Switches that leave requests, retries and the length of the conversation to this service, and that keep the engine from
 * reading files which a text names.
 */
const SWITCHES = {
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
  CLAUDE_CODE_DISABLE_FEATURE_FLAGS: '1',
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_DISABLE_MCP_TASKS: '1',
  CLAUDE_CODE_DISABLE_MCP_TASK_BACKGROUND: '1',
  CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: '1',
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: '1',
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_COMPACT: '1',
  DISABLE_AUTO_COMPACT: '1',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
  ENABLE_TOOL_SEARCH: 'false',
} as const;

/** The whole environment of the engine (S4-11, 3.I-13): it inherits nothing of the worker's. */
export function engineEnvironment(run: EngineRun): Readonly<Record<string, string>> {
  const { model, sonnet, haiku, home, maxOutputTokens } = run;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: home,
    CLAUDE_CONFIG_DIR: `${home}/config`,
    ...SWITCHES,
    MCP_TOOL_TIMEOUT: String(TOOL_TIMEOUT_MS),
    MAX_MCP_OUTPUT_TOKENS: String(MAX_TOOL_OUTPUT_TOKENS),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
    ANTHROPIC_MODEL: model,
    // Without a model for each family the engine asks Bedrock for all that it knows.
    ANTHROPIC_DEFAULT_FABLE_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: sonnet,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: haiku,
    CLAUDE_CODE_SUBAGENT_MODEL: 'haiku',
    ...variablesOf(run.backend),
  };
}

function variablesOf(backend: Backend): Readonly<Record<string, string>> {
  const { apiKey, baseUrl } = backend;
  if (backend.kind === 'anthropic') {
    return {
      ...(apiKey !== null && { ANTHROPIC_API_KEY: apiKey }),
      ...(baseUrl !== null && { ANTHROPIC_BASE_URL: baseUrl }),
    };
  }
  return {
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: backend.region,
    ...(baseUrl !== null && { ANTHROPIC_BEDROCK_BASE_URL: baseUrl }),
    ...(apiKey === null ? { CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1' } : keysOf(apiKey)),
  };
}

function keysOf(apiKey: string): Readonly<Record<string, string>> {
  const key = readBedrockKey(apiKey);
  if (key.kind === 'bearer') return { AWS_BEARER_TOKEN_BEDROCK: apiKey };
  return {
    AWS_ACCESS_KEY_ID: key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
    ...(key.sessionToken !== null && { AWS_SESSION_TOKEN: key.sessionToken }),
  };
}

/** The backend of a connection's options. */
export function backendOf(
  { apiKey, baseUrl }: { readonly apiKey: string | null; readonly baseUrl: string | null },
  options: JsonObject,
): Backend {
  const region = options['claude_agent_region'];
  if (options['claude_agent_backend'] !== 'bedrock') return { kind: 'anthropic', apiKey, baseUrl };
  return { kind: 'bedrock', apiKey, baseUrl, region: typeof region === 'string' ? region : DEFAULT_REGION };
}
