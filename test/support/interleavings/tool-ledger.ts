import { callName, ToolInvoker, type ToolAnswer, type ToolInvocation } from '#libs/agent-core';
import type { ToolEffect } from '#libs/tooling';
import { succeeded } from '../fakes/loop-world.js';
import type { ProcessLine } from './process-line.js';

/** One effect in the outside world. */
export interface Effect {
  /** The idempotency key that the tool gets. */
  readonly key: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The epoch of the claim under which the call was made. */
  readonly epoch: number;
  readonly token: string;
  /** True if the journal held the intent when the call left its worker. */
  readonly wasAnnounced: boolean;
}

export const EFFECTS: Readonly<Record<string, ToolEffect>> = {
  search: 'read',
  upsert: 'idempotent',
  charge: 'unsafe',
};

/** The tool that runs another agent. */
export const AGENT_TOOL = 'task';

/** The tools of one worker. An effect cannot be revoked once its call is under way. */
export class RemoteTools extends ToolInvoker {
  constructor(
    private readonly ledger: Effect[],
    private readonly line: ProcessLine,
    private readonly claim: Pick<Effect, 'epoch' | 'token'>,
    private readonly isAnnounced: (key: string) => boolean,
  ) {
    super();
  }

  override async invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | null> {
    const { toolName, input } = invocation;
    const key = callName(invocation.scope, invocation);
    const { epoch, token } = this.claim;
    const effect = { key, toolName, input, epoch, token, wasAnnounced: this.isAnnounced(key) };
    const running = this.line.ask(`${toolName} ${key}`, () => void this.ledger.push(effect));
    const outcome = await Promise.race([running.then(() => this.done(key)), abortOf(signal)]);
    return outcome && { outcome, files: [] };
  }

  private done(key: string): ToolAnswer['outcome'] {
    return succeeded(`did ${key}`, { staged: [{ kind: 'did', data: { key } }] });
  }
}

/** Resolves to null when the signal aborts. */
export function abortOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
