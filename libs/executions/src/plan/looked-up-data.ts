import type { JsonObject, JsonValue } from '#libs/kernel';
import type { LookedUp } from '#libs/payloads';
import { cutText, type LookUps } from '#libs/tooling';
import type { RunLog } from '../ports/run-log.js';
import { isInfrastructureFailure, type ClassifyStorageError } from '../ports/storage-failure.js';

/** Maximum look-ups per run; the model reads further values without them. */
const MAX_LOOK_UPS = 20;
/** Maximum bytes of one finding. */
const MAX_FINDING = 1_000;

export interface LookedUpParts {
  readonly lookUps: LookUps;
  readonly tenantId: string;
  /**
   * Findings of the first attempt; null in the first attempt. Later attempts reuse them, so that the model reads the same
   * prompt.
   */
  readonly pinned: LookedUp | null;
  readonly signal: AbortSignal;
  readonly classifyStorageError: ClassifyStorageError;
  readonly logger: RunLog;
}

/** Findings for the values in one run's messages; each value is looked up once. */
export class LookedUpData {
  private readonly findings: Map<string, Map<string, string>>;
  private readonly asked = new Set<string>();

  constructor(private readonly parts: LookedUpParts) {
    const pinned = Object.entries(parts.pinned ?? {});
    this.findings = new Map(pinned.map(([key, values]) => [key, new Map(Object.entries(values))]));
  }

  get found(): LookedUp {
    return Object.fromEntries(
      [...this.findings].map(([key, values]) => [key, Object.fromEntries(values)] as const),
    );
  }

  /**
   * Looks up all values of `data`. Throws on transient storage failures; any other error leaves that value without a
   * finding.
   */
  async lookUp(data: JsonObject, userId: string | null): Promise<void> {
    for (const [key, value] of Object.entries(data)) await this.lookUpValue(key, value, userId);
  }

  private async lookUpValue(key: string, value: JsonValue, userId: string | null): Promise<void> {
    const { lookUps, tenantId, pinned, signal } = this.parts;
    const lookUp = lookUps.get(key);
    const name = JSON.stringify([key, value]);
    if (pinned !== null || lookUp === undefined || this.asked.has(name)) return;
    if (this.asked.size >= MAX_LOOK_UPS) return;
    this.asked.add(name);
    try {
      const finding = await lookUp(value, { tenantId, userId, signal });
      if (finding !== null && finding !== '') this.keep(key, value, finding);
    } catch (err) {
      if (signal.aborted || isInfrastructureFailure(err, this.parts.classifyStorageError)) throw err;
      this.parts.logger.warn({ err, key }, 'data of a message not looked up');
    }
  }

  private keep(key: string, value: JsonValue, finding: string): void {
    const values = this.findings.get(key) ?? new Map<string, string>();
    values.set(JSON.stringify(value), cutText(finding, MAX_FINDING));
    this.findings.set(key, values);
  }
}
