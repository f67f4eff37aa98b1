import { ModelCallError, type ModelRequest } from '#libs/agent-core';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { AuditLog } from '../audit-log.js';
import type { HostCall } from '../breaker/model-hosts.js';
import { CallAudit } from '../calls/call-audit.js';
import { baseUrlOf, type ClientConnection } from '../calls/connection.js';
import type { WireRequest } from '../calls/wire-protocol.js';
import type { CallSurroundings } from '../provider/model-provider.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';

interface EngineWatchOptions extends Pick<CallSurroundings, 'hosts' | 'caller' | 'audit'> {
  /** The server that the engine asks. */
  readonly server: ClientConnection;
  readonly aliases: ModelAliases;
}

/** Circuit breaker and audit log of an engine's calls, as for calls that this service sends itself. */
export class EngineWatch {
  constructor(private readonly options: EngineWatchOptions) {}

  /** Throws `ModelHostUnavailableError` while the host of the model is not asked. */
  begin(request: ModelRequest, wire: WireRequest): WatchedCall {
    const { server, aliases, hosts, caller, audit = SILENT } = this.options;
    const model = resolveAlias(aliases, request.model);
    const host = hosts?.begin(baseUrlOf(server), JSON.stringify([caller, model]));
    const call = new CallAudit(audit, 'claude_agent_sdk', server, model);
    call.requested(request, wire);
    return new WatchedCall(host, call);
  }
}

/** One answer of an engine, from its question to its end. */
export class WatchedCall {
  constructor(
    private readonly host: HostCall | undefined,
    private readonly audit: CallAudit,
  ) {}

  /** The model began to answer. */
  heard(): void {
    this.host?.isAlive();
  }

  succeeded(answer: RestoredAnswer): void {
    this.heard();
    this.audit.succeeded({ answer, requestId: null, eventCount: null, paused: null });
  }

  /** The error to throw: the same one, or that of a host that is not asked from now on. */
  failed(error: unknown): unknown {
    if (error instanceof ModelCallError) this.audit.failed(error);
    return this.host === undefined ? error : this.host.failed(error);
  }
}

const SILENT = new AuditLog({ enabled: false, write: () => undefined });
