import {
  ModelCallError,
  ModelPort,
  type ModelAnswer,
  type ModelCallLimits,
  type ModelDelta,
  type ModelRequest,
} from '#libs/agent-core';
import { systemClock, type Clock } from '#libs/kernel';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { AuditLog } from '../audit-log.js';
import type { CallSurroundings } from '../provider/model-provider.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
import { CallAudit } from './call-audit.js';
import type { CallLine } from './call-line.js';
import { CallStopped, CallWatch } from './call-watch.js';
import { stoppedCall } from './failure.js';
import { baseUrlOf, secretsOf, type ClientConnection } from './connection.js';
import { firstByteLimit } from './first-byte-limit.js';
import { receiveWhole } from './receive-whole.js';
import { RequestSender } from './request-sender.js';
import { translateError } from './translate-error.js';
import { wholeAnswerLimit } from './whole-answer-limit.js';
import type { WireProtocol, WireRequest } from './wire-protocol.js';

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_FIRST_BYTE_MS = 60_000;

export interface ClientModelOptions extends ClientConnection, CallSurroundings {
  /** Milliseconds until the first byte of a streamed answer. */
  readonly firstByteMs?: number;
  readonly aliases?: ModelAliases;
}

/**
 * Calls a model by one API, without retries. Errors are `ModelCallError`s; errors thrown by `onDelta` pass
 * unchanged.
 */
export class ClientModel extends ModelPort {
  private readonly sender: RequestSender;
  private readonly clock: Clock;
  private readonly audit: AuditLog;
  private readonly secrets: readonly string[];

  constructor(
    private readonly protocol: WireProtocol,
    private readonly options: ClientModelOptions,
  ) {
    super();
    this.sender = new RequestSender(options, protocol);
    this.clock = options.clock ?? systemClock;
    this.audit = options.audit ?? new AuditLog({ enabled: false, write: () => undefined });
    this.secrets = secretsOf(options);
  }

  async call(
    asked: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer> {
    const { hosts, caller, aliases } = this.options;
    const request = { ...asked, model: resolveAlias(aliases, asked.model) };
    const host = hosts?.begin(baseUrlOf(this.options), JSON.stringify([caller, request.model]));
    const onAlive = (): void => host?.isAlive();
    const audit = new CallAudit(this.audit, this.protocol.auditName, this.options, request.model);
    try {
      return await this.callOnce(request, { onDelta, onAlive }, signal, limits, audit);
    } catch (error) {
      if (error instanceof ModelCallError) audit.failed(error);
      throw host === undefined ? error : host.failed(error);
    }
  }

  private async callOnce(
    request: ModelRequest,
    listener: Pick<CallLine, 'onDelta' | 'onAlive'>,
    signal: AbortSignal,
    limits: ModelCallLimits | undefined,
    audit: CallAudit,
  ): Promise<ModelAnswer> {
    const wholeMs = wholeAnswerLimit(this.options, limits);
    const wire = this.build(request, wholeMs === null);
    const watch = new CallWatch(signal);
    try {
      audit.requested(request, wire);
      const received = await watch.race(
        receiveWhole(this.lineOf(watch, listener, limits, wholeMs), wire.body),
      );
      audit.succeeded(received);
      return toModelAnswer(received.answer, request.model);
    } catch (error) {
      throw error instanceof CallStopped
        ? stoppedCall(this.protocol.streamName, error.reason, error.afterMs)
        : error;
    } finally {
      watch.close();
    }
  }

  private lineOf(
    watch: CallWatch,
    listener: Pick<CallLine, 'onDelta' | 'onAlive'>,
    limits: ModelCallLimits | undefined,
    wholeMs: number | null,
  ): CallLine {
    const { firstByteMs = DEFAULT_FIRST_BYTE_MS, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = this.options;
    const timeoutMs = wholeMs ?? this.options.timeoutMs;
    return {
      protocol: this.protocol,
      sender: this.sender,
      clock: this.clock,
      watch,
      timeoutMs,
      firstByteMs: firstByteLimit({ firstByteMs, timeoutMs }, limits),
      idleTimeoutMs,
      secrets: this.secrets,
      ...listener,
    };
  }

  private build(request: ModelRequest, stream: boolean): WireRequest {
    try {
      return this.protocol.build(request, stream);
    } catch (error) {
      throw translateError(error, {
        phase: 'request',
        streamName: this.protocol.streamName,
        now: this.clock.now(),
        secrets: this.secrets,
      });
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
