import { z } from 'zod';
import { modelAliases } from './model-aliases.js';
import { count, flag, optional } from './variable-kinds.js';

const CLAUDE_SDK_FOLDER = '.local/claude-agent-sdk';

/** Variables for the operator's model servers, and the names of models. */
export const modelVariables = {
  OPENAI_API_KEY: optional(z.string().min(1)).describe(
    'API key of OpenAI, for model configurations without a key of their own',
  ),
  OPENAI_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'base URL of a server with the OpenAI Responses API',
  ),
  OPENAI_COMPATIBLE_API_KEY: optional(z.string().min(1)).describe(
    'API key of that server; unset if it needs none',
  ),
  OPENAI_COMPATIBLE_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'base URL of a Chat Completions server (vLLM, Ollama, LiteLLM …), for model configurations of the provider openai_compatible without a URL',
  ),
  ANTHROPIC_API_KEY: optional(z.string().min(1)).describe(
    'API key of Anthropic, or of the server at ANTHROPIC_BASE_URL',
  ),
  ANTHROPIC_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'base URL of a server with the Messages API, in place of Anthropic',
  ),
  BEDROCK_KEY: optional(z.string().min(1)).describe(
    'key of Amazon Bedrock: one of its API keys, or ACCESS_KEY_ID:SECRET_ACCESS_KEY, with :SESSION_TOKEN for temporary ones',
  ),
  BEDROCK_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'base URL of Bedrock, which names the region',
  ),
  MODEL_ALIASES: optional(modelAliases).describe(
    'short names of models: a comma-separated list of provider:name=id, in addition to those of GET /api/models/; an equal name replaces one',
  ),
  CLAUDE_AGENT_SDK: z
    .string()
    .min(1)
    .default(CLAUDE_SDK_FOLDER)
    .describe(
      'folder of the Claude Agent SDK on workers, for model configurations of the provider claude_agent_sdk; npm run claude:install fills it',
    ),
  CLAUDE_AGENT_SDK_PROCESSES: optional(count(1, 1_000)).describe(
    'maximum engines of the Claude Agent SDK at once in a worker process, 1 GiB of memory each; unset: as many as its memory allows',
  ),
  MODEL_ALLOW_PRIVATE_HOSTS: flag
    .default(false)
    .describe('true: model configurations may use hosts of this machine and of private networks'),
};

/** Folder of the engine, for programs that need no other setting. */
export function engineFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env['CLAUDE_AGENT_SDK'] ?? CLAUDE_SDK_FOLDER;
}
