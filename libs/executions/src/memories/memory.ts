import { toStorableText } from '#libs/kernel';

/** Characters of one fact. */
export const MAX_MEMORY_CHARACTERS = 500;

/** Who wrote a fact first: a person over HTTP, or the model that was asked after an execution. */
export const MEMORY_ORIGINS = ['person', 'extraction'] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** A fact about one executor of a tenant, as the API shows it. */
export interface MemoryView {
  readonly id: number;
  /** `executor.user_id` of the requests whose agents know it. */
  readonly executor_id: string;
  /** The agent after whose execution it was learnt or last brought up to date; null where a person wrote it. */
  readonly agent_id: number | null;
  readonly text: string;
  readonly origin: MemoryOrigin;
  /** Whether a person has changed what was learnt: no job touches it any more. */
  readonly is_edited: boolean;
  /**
   * Whether it was learnt of a turn whose model had read foreign content, or beside a foreign fact; false once a person has
   * changed it.
   */
  readonly is_foreign: boolean;
  /** The execution that it was learnt of, which may be deleted by now; null where a person wrote it. */
  readonly execution_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A fact as it is kept: one line, without control characters. */
export function toMemoryText(text: string): string {
  return toStorableText(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** What two writings of one fact have in common; kept as a hash where the fact itself is to be gone. */
export function memoryKey(text: string): string {
  return toMemoryText(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Zs}]+/gu, ' ')
    .trim();
}
