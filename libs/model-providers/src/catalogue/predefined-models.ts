export const PREDEFINED_MODEL_IDS = [
  'gpt-5.2',
  'gpt-5.2-pro',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-5-codex',
  'gpt-5.1-codex',
  'gpt-5.3-codex',
] as const;

/** Predefined models all reason; of others nothing is known. */
export function isPredefinedModel(id: string): boolean {
  return (PREDEFINED_MODEL_IDS as readonly string[]).includes(id);
}
