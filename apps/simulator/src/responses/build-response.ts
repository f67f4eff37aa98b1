import type { Answer } from './answer.js';
import { buildOutput } from './build-output.js';
import { countUsage } from './count-usage.js';
import type { IdSource } from './id-source.js';
import type { ResponseObject } from './response-schema.js';
import type { ResponsesRequest } from './responses-request.js';

/** A response at its start and at its end. */
export interface BuiltResponse {
  readonly started: ResponseObject;
  readonly finished: ResponseObject;
}

/** Builds the Response object of an answer. `nowMs` is the time of the request in Unix milliseconds. */
export function buildResponse(
  request: ResponsesRequest,
  answer: Answer,
  ids: IdSource,
  nowMs: number,
): BuiltResponse {
  const { end } = answer;
  const seconds = Math.floor(nowMs / 1000);
  const started = announce(request, ids.next('resp'), seconds);
  const isEncrypted = request.body.include?.includes('reasoning.encrypted_content') ?? false;
  const usage = countUsage(request, answer);
  const finished: ResponseObject = {
    ...started,
    status: end.status,
    completed_at: end.status === 'completed' ? seconds : null,
    error: end.status === 'failed' ? { code: end.code, message: end.message } : null,
    incomplete_details: end.status === 'incomplete' ? { reason: end.reason } : null,
    output: [...buildOutput(answer.items, ids, isEncrypted)],
    usage: end.status === 'failed' ? null : (usage ?? null),
  };
  return { started, finished: usage === undefined ? withoutUsage(finished) : finished };
}

function withoutUsage({ usage: _usage, ...response }: ResponseObject): ResponseObject {
  return response;
}

function announce(request: ResponsesRequest, id: string, seconds: number): ResponseObject {
  const { body } = request;
  return {
    id,
    object: 'response',
    created_at: seconds,
    status: 'in_progress',
    access_programs: null,
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: request.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: 'text' }, verbosity: body.text?.verbosity ?? 'medium' },
    tool_choice: request.toolChoice,
    tools: request.tools.map((tool) => ({
      type: 'function',
      description: tool.description ?? null,
      name: tool.name,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? true,
    })),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: body.user ?? null,
    metadata: { ...request.metadata },
  };
}
