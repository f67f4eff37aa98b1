import type { Fault } from './fault-schema.js';
import { isCounted, isHit, type CallFacts, type FaultRule } from './fault-rule.js';

const MAX_COUNTERS = 10_000;
/** Key of rules that apply to every request. */
const ANY_KEY = '*';

/** Active fault rules with their counts of calls. Keys isolate concurrent tests from each other. */
export class FaultBook {
  private readonly rules = new Map<string, { readonly key: string | null; readonly rule: FaultRule }>();
  private readonly counters = new Map<string, number>();
  private nextRule = 1;

  /** Adds rules for the requests of one key; `null` is for requests without a key, `*` for all. */
  add(key: string | null, rules: readonly FaultRule[]): void {
    for (const rule of rules) {
      this.rules.set(`posted:${this.nextRule}`, { key, rule });
      this.nextRule += 1;
    }
  }

  list(
    key?: string | null,
  ): readonly { readonly key: string | null; readonly rule: FaultRule; readonly counted: number }[] {
    return [...this.rules]
      .filter(([, posted]) => key === undefined || posted.key === key)
      .map(([id, posted]) => ({ ...posted, counted: this.counters.get(id) ?? 0 }));
  }

  /** Deletes the rules of one key; without a key, all rules and counts. */
  clear(key?: string | null): void {
    if (key === undefined) this.counters.clear();
    for (const [id, posted] of this.rules) {
      if (key !== undefined && posted.key !== key) continue;
      this.rules.delete(id);
      this.counters.delete(id);
    }
  }

  /** Counts the call, and returns the faults that hit it. */
  take(key: string | null, call: CallFacts): readonly Fault[] {
    return [...this.rules]
      .filter(([, posted]) => posted.key === key || posted.key === ANY_KEY)
      .flatMap(([id, { rule }]) => this.countCall(id, rule, call));
  }

  /** As {@link FaultBook.take}, for rules inside a request; `scope` names their counts. */
  takeFrom(rules: readonly FaultRule[], scope: string, call: CallFacts): readonly Fault[] {
    return rules.flatMap((rule, index) => this.countCall(`${scope}#${index}`, rule, call));
  }

  private countCall(id: string, rule: FaultRule, call: CallFacts): readonly Fault[] {
    if (!isCounted(rule.on, call)) return [];
    const number = (this.counters.get(id) ?? 0) + 1;
    this.counters.delete(id);
    this.counters.set(id, number);
    this.forgetOldest();
    return isHit(rule.on, number) ? [rule.fault] : [];
  }

  /** Evicts the least recently used counter, since scripts in requests would create them without bound. */
  private forgetOldest(): void {
    if (this.counters.size <= MAX_COUNTERS) return;
    const [oldest] = this.counters.keys();
    if (oldest !== undefined) this.counters.delete(oldest);
  }
}
