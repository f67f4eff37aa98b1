import { parsePreferences } from '../http/parse-preferences.js';

const MAX_WAIT_SECONDS = 60;

/** The supported preferences of a submit. */
export interface SubmitPreferences {
  /** Seconds from 1 to {@link MAX_WAIT_SECONDS}; null if the client does not wait. */
  readonly waitSeconds: number | null;
  /** `lenient` answers 200 for a failed execution; null if the client states no preference. */
  readonly handling: 'strict' | 'lenient' | null;
}

/** Reads `Prefer: wait=N, handling=lenient` (RFC 7240); ignores unknown preferences. */
export function parseSubmitPreferences(header: string | undefined): SubmitPreferences {
  const preferences = parsePreferences(header);
  const handling = preferences.get('handling')?.toLowerCase();
  return {
    waitSeconds: readSeconds(preferences.get('wait') ?? ''),
    handling: handling === 'strict' || handling === 'lenient' ? handling : null,
  };
}

/** Value of `Preference-Applied` for a waiting submit. */
export function describeApplied({ waitSeconds, handling }: SubmitPreferences): string {
  return `wait=${waitSeconds}${handling === null ? '' : `, handling=${handling}`}`;
}

function readSeconds(text: string): number | null {
  if (!/^\d{1,9}$/.test(text)) return null;
  const seconds = Math.min(Number(text), MAX_WAIT_SECONDS);
  return seconds === 0 ? null : seconds;
}
