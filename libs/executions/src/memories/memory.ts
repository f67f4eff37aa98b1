import { toStorableText } from '#libs/kernel';

/** Maximum characters of one fact. */
export const MAX_MEMORY_CHARACTERS = 500;

/** Original author of a fact: a person over HTTP, or a model after an execution. */
export const MEMORY_ORIGINS = ['person', 'extraction'] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** A fact about one executor of a tenant, as the API shows it. */
export interface MemoryView {
  readonly id: number;
  /** `executor.user_id` of the requests that use this fact. */
  readonly executor_id: string;
  /** Agent with the execution that last learnt or updated the fact; null if a person wrote it. */
  readonly agent_id: number | null;
  readonly text: string;
  readonly origin: MemoryOrigin;
  /** True if a person has changed a learnt fact; jobs no longer change it. */
  readonly is_edited: boolean;
  /**
   * True if the fact was learnt in a turn with foreign content, or beside a foreign fact; false once a person has changed
   * it.
   */
  readonly is_foreign: boolean;
  /** Execution that the fact was learnt from, which may be deleted by now; null if a person wrote it. */
  readonly execution_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Normalizes a fact for storage: one line without control characters. */
export function toMemoryText(text: string): string {
  return toStorableText(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** Comparison key of a fact, equal for different spellings; stored as a hash after the fact is deleted. */
export function memoryKey(text: string): string {
  return toMemoryText(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Zs}]+/gu, ' ')
    .trim();
}
