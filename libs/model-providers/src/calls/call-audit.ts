import type { ModelCallError, ModelRequest } from '#libs/agent-core';
import type { AuditedApi, AuditLog, AuditTrail } from '../audit-log.js';
import type { Received } from './call-line.js';
import { baseUrlOf, secretsOf, type ClientConnection } from './connection.js';
import type { WireRequest } from './wire-protocol.js';

interface AuditedServer {
  readonly base_url_host: string;
  readonly use_custom_base_url: boolean;
}

/** Audit log of one call: counts, names and outcomes, each selected explicitly. */
export class CallAudit {
  private readonly trail: AuditTrail;
  /** Null if the audit log is disabled. */
  private readonly server: AuditedServer | null;

  constructor(
    log: AuditLog,
    api: AuditedApi,
    connection: ClientConnection,
    private readonly model: string,
  ) {
    this.trail = log.open(secretsOf(connection), api);
    this.server = this.trail.isEnabled ? serverOf(connection) : null;
  }

  requested(request: ModelRequest, { body, audited }: WireRequest): void {
    this.trail.write('request', {
      ...this.server,
      model: this.model,
      response_format: audited.responseFormat,
      enable_stream: body.stream,
      stream: body.stream,
      input_message_count: request.messages.length,
      tool_count: request.tools.length,
      max_output_tokens: audited.maxOutputTokens,
      has_user: audited.hasUser,
      has_stop: audited.hasStop,
    });
  }

  succeeded({ answer, requestId, eventCount }: Received): void {
    this.trail.write('success', {
      model: this.model,
      response_model: answer.model,
      request_id: requestId,
      ...(eventCount !== null && { stream: true, stream_event_count: eventCount }),
    });
  }

  failed(error: ModelCallError): void {
    const { status, code, param, apiErrorType, requestId, responseStatus } = error.details;
    this.trail.write('error', {
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

function serverOf(connection: ClientConnection): AuditedServer {
  const asked = baseUrlOf(connection);
  return {
    base_url_host: URL.canParse(asked) ? new URL(asked).host : '',
    use_custom_base_url: asked !== baseUrlOf({ ...connection, baseUrl: null }),
  };
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
