import type { PostedScript } from './script-schema.js';

interface Entry {
  readonly script: PostedScript;
  /** Number of answered requests; used by scripts with the order `call`. */
  taken: number;
}

/** Posted scripts: one for each key and `contains`; a later post replaces an earlier one. */
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

  /** Deletes the scripts of one key (null: scripts without a key), or all. */
  clear(key?: string | null): void {
    for (const [name, { script }] of this.entries) {
      if (key === undefined || (script.key ?? null) === key) this.entries.delete(name);
    }
  }

  /** The newest script for a request, or null. */
  find(key: string | null, lastUserText: string): PostedScript | null {
    return this.newest(key, lastUserText)?.script ?? null;
  }

  /** Counts a request for a script with the order `call`; returns the number of earlier ones. */
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
