import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WATCHED_TOOLS, type EffectRequest } from '../programs/watched-tools.js';
import { createPatientServer } from '../../support/services/patient-server.js';

/** A request that arrived, even if its caller died before the answer. */
export interface RecordedCall extends EffectRequest {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly idempotencyKey: string | null;
  /** False for a repeated key, and for a call that had to fail before its effect. */
  readonly tookEffect: boolean;
}

/**
 * The outside world of the watched tools: a server on the loopback address that records every call. `watched_upsert` takes
 * effect once per idempotency key, the other tools at every call.
 */
export class EffectServer {
  readonly calls: RecordedCall[] = [];
  /** Awaited before a call is answered; the effect of the call has already taken place. */
  beforeAnswer: (call: RecordedCall) => Promise<unknown> = () => Promise.resolve();
  private readonly keys = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<EffectServer> {
    const server = createPatientServer();
    const effects = new EffectServer(server);
    server.on('request', (request, response) => void effects.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return effects;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The calls of one execution, in the order of arrival. */
  callsOf(executionId: string): RecordedCall[] {
    return this.calls.filter((call) => call.executionId === executionId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = JSON.parse(await text(request)) as EffectRequest;
    const key = request.headers['idempotency-key'];
    const call = this.record(sent, typeof key === 'string' ? key : null);
    await this.beforeAnswer(call);
    if (sent.input.delay_ms !== null) await delay(sent.input.delay_ms);
    response.writeHead(sent.input.fail === null ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ number: call.number }));
  }

  private record(sent: EffectRequest, idempotencyKey: string | null): RecordedCall {
    const tookEffect = sent.input.fail !== 'before_effect' && !this.isRepeated(sent, idempotencyKey);
    const call = { ...sent, number: this.calls.length + 1, at: Date.now(), idempotencyKey, tookEffect };
    this.calls.push(call);
    return call;
  }

  private isRepeated(sent: EffectRequest, key: string | null): boolean {
    if (sent.tool !== WATCHED_TOOLS.idempotent || key === null) return false;
    const isKnown = this.keys.has(key);
    this.keys.add(key);
    return isKnown;
  }
}
