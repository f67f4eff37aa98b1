import type { PostedScript } from './script-schema.js';

interface Entry {
  readonly script: PostedScript;
  /** Requests answered so far; only counts for scripts in order of calls. */
  taken: number;
}

/** The scripts that were posted: at most one for each key and `contains`; the last one posted wins. */
export class ScriptBook {
  private readonly entries = new Map<string, Entry>();

  put(script: PostedScript): void {
    const name = JSON.stringify([script.key ?? null, script.contains ?? null]);
    this.entries.delete(name);
    this.entries.set(name, { script, taken: 0 });
  }

  list(): readonly { readonly script: PostedScript; readonly taken: number }[] {
    return [...this.entries.values()];
  }

  /** Forgets the scripts of one key (null: those without one), or all. */
  clear(key?: string | null): void {
    for (const [name, { script }] of this.entries) {
      if (key === undefined || (script.key ?? null) === key) this.entries.delete(name);
    }
  }

  /** The newest script for a request, or null. */
  find(key: string | null, lastUserText: string): PostedScript | null {
    return this.newest(key, lastUserText)?.script ?? null;
  }

  /** Counts a request that the script answers in order of calls; answers how many came before it. */
  take(script: PostedScript): number {
    const entry = [...this.entries.values()].find((candidate) => candidate.script === script);
    if (entry === undefined) return 0;
    entry.taken += 1;
    return entry.taken - 1;
  }

  private newest(key: string | null, lastUserText: string): Entry | undefined {
    return [...this.entries.values()].findLast(
      ({ script }) =>
        (script.key ?? null) === key &&
        (script.contains === undefined || lastUserText.includes(script.contains)),
    );
  }
}
