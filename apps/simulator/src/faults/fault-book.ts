import type { Fault } from './fault-schema.js';
import { isCounted, isHit, type CallFacts, type FaultRule } from './fault-rule.js';

const MOST_COUNTERS = 10_000;
/** Rules under this key are for every request, whatever its key. */
const ANY_KEY = '*';

/** The fault rules in force and how many calls each has seen. A key keeps tests that run at once out of each other's way. */
export class FaultBook {
  private readonly rules = new Map<string, { readonly key: string | null; readonly rule: FaultRule }>();
  private readonly counters = new Map<string, number>();
  private nextRule = 1;

  /** Adds rules for the requests of one key; `null` for those without a key, `*` for all. */
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

  /** Forgets the rules of one key, or all of them and every count. */
  clear(key?: string | null): void {
    if (key === undefined) this.counters.clear();
    for (const [id, posted] of this.rules) {
      if (key !== undefined && posted.key !== key) continue;
      this.rules.delete(id);
      this.counters.delete(id);
    }
  }

  /** Counts the call and answers what shall go wrong with it. */
  take(key: string | null, call: CallFacts): readonly Fault[] {
    return [...this.rules]
      .filter(([, posted]) => posted.key === key || posted.key === ANY_KEY)
      .flatMap(([id, { rule }]) => this.countCall(id, rule, call));
  }

  /** The same for rules that come with a request; `scope` names their counts. */
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

  /** Scripts in requests make counters without end: the one unused for longest goes. */
  private forgetOldest(): void {
    if (this.counters.size <= MOST_COUNTERS) return;
    const [oldest] = this.counters.keys();
    if (oldest !== undefined) this.counters.delete(oldest);
  }
}
