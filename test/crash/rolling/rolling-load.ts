import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionView } from '#libs/payloads';
import { scripted, type ApiClient } from '../../support/services/api-client.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';

const LOOK_EVERY_MS = 200;

const slowly = (answer: object): object => ({ ...answer, latency: { headers_ms: 600, delta_ms: 20 } });
const calling = (name: string): object =>
  slowly({ calls: [{ name, arguments: { item: 'roma', delay_ms: 400, fail: null } }] });
const ANSWER = slowly({ text: 'Tomatoes are on their way, they will be there tomorrow.' });

/** One to two seconds each: text only, with a repeatable tool, with an unsafe tool. */
const INPUTS = [
  scripted(ANSWER),
  scripted(calling(WATCHED_TOOLS.read), ANSWER),
  scripted(calling(WATCHED_TOOLS.unsafe), ANSWER),
] as const;

/** A number of clients, each with one execution after the other, until they are asked to stop. */
export class RollingLoad {
  /** The failures that clients got in place of an answer. */
  readonly failedRequests: string[] = [];
  private submitted = 0;
  private settled = 0;
  private isStopping = false;
  private clients: readonly Promise<void>[] = [];

  constructor(private readonly api: ApiClient) {}

  /** The number of executions that clients have seen end. */
  get ended(): number {
    return this.settled;
  }

  start(width: number): void {
    this.clients = Array.from({ length: width }, () => this.work());
  }

  /** Resolves when every client has seen its last execution end. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.clients);
  }

  private async work(): Promise<void> {
    while (!this.isStopping) {
      const input = INPUTS[this.submitted++ % INPUTS.length] ?? '';
      try {
        const { id } = await this.api.submit({ input });
        await this.untilSettled(id);
        this.settled += 1;
      } catch (error) {
        this.failedRequests.push(String(error));
        await delay(LOOK_EVERY_MS);
      }
    }
  }

  private async untilSettled(id: string): Promise<void> {
    for (;;) {
      const view = await this.api.get<ExecutionView>(`/api/executions/${id}/`);
      if (view.finished_at !== null) return;
      await delay(LOOK_EVERY_MS);
    }
  }
}
