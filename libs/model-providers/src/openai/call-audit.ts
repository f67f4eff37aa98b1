import type { ModelCallError, ModelRequest } from '#libs/agent-core';
import type { ResponsesRequest } from '#libs/payloads';
import type { AuditLog, AuditTrail } from '../audit-log.js';
import type { Received } from './call-line.js';
import { OPENAI_BASE_URL, secretsOf, type OpenAiConnection } from './openai-client.js';

/** What the audit log tells about one call: counts, names and endings, picked one by one. */
export class CallAudit {
  private readonly trail: AuditTrail;
  private readonly server: { readonly base_url_host: string; readonly use_custom_base_url: boolean };

  constructor(
    log: AuditLog,
    connection: OpenAiConnection,
    private readonly model: string,
  ) {
    this.trail = log.open(secretsOf(connection));
    const baseUrl = connection.baseUrl || OPENAI_BASE_URL;
    this.server = {
      base_url_host: URL.canParse(baseUrl) ? new URL(baseUrl).host : '',
      use_custom_base_url: Boolean(connection.baseUrl) && connection.baseUrl !== OPENAI_BASE_URL,
    };
  }

  requested(request: ModelRequest, body: ResponsesRequest): void {
    this.trail.write('responses_api_request', {
      ...this.server,
      model: this.model,
      response_format: body.text.format.type,
      enable_stream: body.stream,
      stream: body.stream,
      input_message_count: request.messages.length,
      tool_count: request.tools.length,
      max_output_tokens: body.max_output_tokens,
      has_user: body.user !== undefined,
      has_stop: body.truncation !== undefined,
    });
  }

  succeeded({ answer, requestId, eventCount }: Received): void {
    this.trail.write('responses_api_success', {
      model: this.model,
      response_model: answer.model,
      request_id: requestId,
      ...(eventCount !== null && { stream: true, stream_event_count: eventCount }),
    });
  }

  failed(error: ModelCallError): void {
    const { status, code, param, apiErrorType, requestId, responseStatus } = error.details;
    this.trail.write('responses_api_error', {
      ...this.server,
      model: this.model,
      error_type: error.reason,
      status_code: scalar(status),
      request_id: scalar(requestId),
      code: scalar(code),
      param: scalar(param),
      api_error_type: scalar(apiErrorType),
      response_status: scalar(responseStatus),
    });
  }
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
