import type { AgentTestOptions, ScriptedCall } from '#libs/kit';

/** One run of a tool, with its effects in the outside world. */
export interface SeenRun extends ScriptedCall {
  /** Idempotency key of the call, equal for all its runs. */
  readonly key: string;
  readonly effects: readonly unknown[];
}

/** A run, and the effects that were there when it began. */
interface BegunRun extends ScriptedCall {
  readonly key: string;
  readonly logged: number;
  readonly requested: number;
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Records the runs of tools, which do not overlap: an effect belongs to the run that began last. */
export class EffectRecorder {
  private readonly begun: BegunRun[] = [];
  private readonly requests: string[] = [];
  private readonly keys = new Set<string>();

  constructor(private readonly options: Pick<AgentTestOptions, 'fetch' | 'effects'>) {}

  begin(run: ScriptedCall & { readonly key: string }): void {
    this.begun.push({ ...run, logged: this.logged().length, requested: this.requests.length });
  }

  /** All runs so far. */
  runs(): readonly SeenRun[] {
    const logged = this.logged();
    return this.begun.map(({ key, tool, input, ...from }, index) => {
      const next = this.begun[index + 1];
      const requests = this.requests.slice(from.requested, next?.requested);
      return { key, tool, input, effects: [...logged.slice(from.logged, next?.logged), ...requests] };
    });
  }

  /** `fetch` of the tools' context: the options of the test answer. */
  readonly fetch: typeof fetch = async (address, init) => {
    const request = new Request(address, init);
    const { fetch: answer } = this.options;
    if (answer === undefined)
      throw new Error(`no \`fetch\` in the options of the test answers ${request.method} ${request.url}`);
    this.record(request);
    return answer(request);
  };

  /** An equal key marks a repetition, which a server that keeps keys does not carry out again. */
  private record({ method, url, headers }: Request): void {
    if (CHANGES_NOTHING.has(method)) return;
    const key = headers.get('idempotency-key');
    const name = `${method} ${url}`;
    if (key !== null && this.keys.has(`${name} ${key}`)) return;
    if (key !== null) this.keys.add(`${name} ${key}`);
    this.requests.push(name);
  }

  private logged(): readonly unknown[] {
    return this.options.effects?.() ?? [];
  }
}
