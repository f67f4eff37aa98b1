import {
  ModelCallError,
  ModelPort,
  type ModelAnswer,
  type ModelDelta,
  type ModelRequest,
} from '#libs/agent-core';
import { systemClock, type Clock } from '#libs/kernel';
import { buildResponsesRequest, type RestoredAnswer } from '#libs/payloads';
import type OpenAI from 'openai';
import { AuditLog } from '../audit-log.js';
import { isPredefinedModel } from '../catalogue/predefined-models.js';
import { CallAudit } from './call-audit.js';
import { CallStopped, CallWatch } from './call-watch.js';
import { stoppedCall } from './failure.js';
import { createOpenAiClient, type OpenAiConnection } from './openai-client.js';
import { receiveBody } from './receive-body.js';
import { receiveStream } from './receive-stream.js';
import { translateError } from './translate-error.js';

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;

export interface OpenAiModelOptions extends OpenAiConnection {
  /** Milliseconds between two events of a stream once the model writes; while it reasons `timeoutMs` counts. */
  readonly idleTimeoutMs?: number;
  readonly audit?: AuditLog;
  readonly clock?: Clock;
}

/**
 * The Responses API of OpenAI or of a compatible server, one call at a time: nothing is stored there, nothing is tried
 * again. Errors are `ModelCallError`s; what `onDelta` throws passes through unchanged.
 */
export class OpenAiModel extends ModelPort {
  private readonly client: OpenAI;
  private readonly clock: Clock;
  private readonly audit: AuditLog;

  constructor(private readonly options: OpenAiModelOptions) {
    super();
    this.client = createOpenAiClient(options);
    this.clock = options.clock ?? systemClock;
    this.audit = options.audit ?? new AuditLog({ enabled: false, write: () => undefined });
  }

  async call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const audit = new CallAudit(this.audit, this.options, request.model);
    try {
      return await this.callOnce(request, onDelta, signal, audit);
    } catch (error) {
      if (error instanceof ModelCallError) audit.failed(error);
      throw error;
    }
  }

  private async callOnce(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    audit: CallAudit,
  ): Promise<ModelAnswer> {
    const body = this.build(request);
    const watch = new CallWatch(signal);
    try {
      audit.requested(request, body);
      const { timeoutMs, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = this.options;
      const line = { client: this.client, clock: this.clock, watch, timeoutMs, idleTimeoutMs };
      const received = await watch.race(
        body.stream ? receiveStream(line, body, onDelta) : receiveBody(line, body, onDelta),
      );
      audit.succeeded(received);
      return toModelAnswer(received.answer, request.model);
    } catch (error) {
      throw error instanceof CallStopped ? stoppedCall(error.reason, error.afterMs) : error;
    } finally {
      watch.close();
    }
  }

  private build(request: ModelRequest) {
    try {
      return buildResponsesRequest({ ...request, stream: true, reasons: isPredefinedModel(request.model) });
    } catch (error) {
      throw translateError(error, 'request', this.clock.now());
    }
  }
}

function toModelAnswer(answer: RestoredAnswer, askedModel: string): ModelAnswer {
  const toolCalls = answer.toolCalls.map((call) => ({
    callId: call.id,
    toolName: call.name,
    arguments: call.arguments,
  }));
  return { ...answer, model: answer.model ?? askedModel, toolCalls };
}
