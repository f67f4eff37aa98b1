import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { createPatientServer } from '../../support/services/patient-server.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import type { ServedCall } from '../programs/ledgered-tools.js';
import type { Said } from '../programs/remote-ledger.js';
import type { ServedSession } from '../programs/served-sessions.js';
import type { ServerPoint } from '../programs/failpoints.js';

const PROGRAMS = join(import.meta.dirname, '../../../dist/test/crash/programs');
/** The program that a worker starts. */
export const STDIO_PROGRAM = join(PROGRAMS, 'stdio-tool-server.js');

/** A call in the ledger of the tool servers. */
export interface LedgerCall extends ServedCall {
  /** False for a repeated key of an idempotent tool. */
  readonly tookEffect: boolean;
}

/**
 * The tool servers of a tenant, as processes of their own, and their ledger: every call that any of them received, even if
 * the server died before its answer.
 */
export class ToolServers {
  readonly calls: LedgerCall[] = [];
  /** Calls that were cancelled by their callers. */
  readonly cancelled: ServedCall[] = [];
  /** Awaited by a server at the point before it goes on. */
  hold: (point: ServerPoint, caseKey: string) => Promise<unknown> = () => Promise.resolve();
  private readonly keys = new Set<string>();

  private process: ChildProcess | undefined;
  private started: Promise<string> | undefined;

  private constructor(private readonly ledger: Server) {}

  /** Starts the ledger; the servers start when one of them is needed. */
  static async listen(): Promise<ToolServers> {
    const ledger = createPatientServer();
    await new Promise<void>((resolve) => ledger.listen(0, '127.0.0.1', resolve));
    const servers = new ToolServers(ledger);
    ledger.on('request', (request, response) => {
      void json(request).then((said) => servers.answer(said as Said, response));
    });
    return servers;
  }

  /** Origin of the servers that are reached over HTTP, without a slash at the end. */
  origin(): Promise<string> {
    this.started ??= this.start();
    return this.started;
  }

  /** The program of the stdio server, and the URL of its ledger. */
  get stdio(): { readonly program: string; readonly ledgerUrl: string } {
    return { program: STDIO_PROGRAM, ledgerUrl: urlOf(this.ledger) };
  }

  callsOf(caseKey: string): LedgerCall[] {
    return this.calls.filter((call) => call.caseKey === caseKey);
  }

  /** All sessions that were ever begun for a case. */
  async sessionsOf(caseKey: string): Promise<ServedSession[]> {
    if (this.started === undefined) return [];
    const all = (await (await fetch(`${await this.started}/sessions`)).json()) as ServedSession[];
    return all.filter((session) => session.caseKey === caseKey);
  }

  async close(): Promise<void> {
    this.process?.kill('SIGKILL');
    this.ledger.closeAllConnections();
    await new Promise((resolve) => this.ledger.close(resolve));
  }

  private async start(): Promise<string> {
    const child = spawn(process.execPath, [join(PROGRAMS, 'tool-server.js')], {
      env: { PATH: process.env['PATH'] ?? '', LEDGER_URL: urlOf(this.ledger) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.process = child;
    const [origin] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return origin;
  }

  private async answer(said: Said, response: ServerResponse): Promise<void> {
    if (said.kind === 'call') this.record(said.call);
    else if (said.kind === 'cancellation') this.cancelled.push(said.call);
    else await this.hold(said.point, said.caseKey);
    response.end(JSON.stringify({ number: this.calls.length }));
  }

  private record(call: ServedCall): void {
    const { tool, idempotencyKey: key } = call;
    const isRepeated = tool === WATCHED_TOOLS.idempotent && key !== null && this.keys.has(key);
    if (key !== null) this.keys.add(key);
    this.calls.push({ ...call, tookEffect: !isRepeated });
  }
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
