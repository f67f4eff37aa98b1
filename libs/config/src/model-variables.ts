import { z } from 'zod';
import { modelAliases } from './model-aliases.js';
import { flag, optional } from './variable-kinds.js';

/** Variables for the operator's model servers, and the names of models. */
export const modelVariables = {
  OPENAI_API_KEY: optional(z.string().min(1)).describe('the key of the model provider'),
  OPENAI_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'a server that speaks the OpenAI Responses API',
  ),
  OPENAI_COMPATIBLE_API_KEY: optional(z.string().min(1)).describe(
    'the key of the server at OPENAI_COMPATIBLE_BASE_URL; left out where it asks for none',
  ),
  OPENAI_COMPATIBLE_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'a server that speaks Chat Completions (vLLM, Ollama, LiteLLM …), for configurations of the provider openai_compatible that name none',
  ),
  ANTHROPIC_API_KEY: optional(z.string().min(1)).describe(
    'the key of Anthropic, or of the server at ANTHROPIC_BASE_URL',
  ),
  ANTHROPIC_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'a server that speaks the Messages API, in place of Anthropic',
  ),
  BEDROCK_KEY: optional(z.string().min(1)).describe(
    'the key of Amazon Bedrock: one of its API keys, or ACCESS_KEY_ID:SECRET_ACCESS_KEY, with :SESSION_TOKEN where they are temporary',
  ),
  BEDROCK_BASE_URL: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'the address of Bedrock, which names the region',
  ),
  MODEL_ALIASES: optional(modelAliases).describe(
    'short names of models: a list of provider:name=id with commas between, beside those that a provider has, or in their place',
  ),
  MODEL_ALLOW_PRIVATE_HOSTS: flag
    .default(false)
    .describe('true: model configurations may name servers of this machine and of private networks'),
};
