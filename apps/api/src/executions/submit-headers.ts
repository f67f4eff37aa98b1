import { parsePreferences } from '../http/parse-preferences.js';

const MAX_WAIT_SECONDS = 60;

/** The preferences of a submit that are honoured. */
export interface SubmitPreferences {
  /** From 1 to {@link MAX_WAIT_SECONDS}; null where the client does not wait. */
  readonly waitSeconds: number | null;
  /** `lenient`: a failed execution that was waited for is answered 200; null where the client does not say. */
  readonly handling: 'strict' | 'lenient' | null;
}

/** Reads `Prefer: wait=N, handling=lenient` (RFC 7240). What is not understood is ignored. */
export function parseSubmitPreferences(header: string | undefined): SubmitPreferences {
  const preferences = parsePreferences(header);
  const handling = preferences.get('handling')?.toLowerCase();
  return {
    waitSeconds: readSeconds(preferences.get('wait') ?? ''),
    handling: handling === 'strict' || handling === 'lenient' ? handling : null,
  };
}

/** The value of `Preference-Applied` for a submit that waits. */
export function describeApplied({ waitSeconds, handling }: SubmitPreferences): string {
  return `wait=${waitSeconds}${handling === null ? '' : `, handling=${handling}`}`;
}

function readSeconds(text: string): number | null {
  if (!/^\d{1,9}$/.test(text)) return null;
  const seconds = Math.min(Number(text), MAX_WAIT_SECONDS);
  return seconds === 0 ? null : seconds;
}
