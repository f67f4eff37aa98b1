import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';

/** Maximum facts about one executor, from all sources. */
export const MAX_MEMORIES = 200;

const whole = (least: number, most: number) =>
  z
    .int(`a whole number from ${least} to ${most}`)
    .min(least, `at least ${least}`)
    .max(most, `at most ${most}`);

/** An agent's settings for remembered facts about its executors (`config.memory`). */
export const memorySettingsSchema = z.strictObject({
  /** Whether facts are extracted after executions and included in the prompt. */
  enabled: z.boolean('true or false').default(false),
  /** Maximum facts per executor; beyond it a newly learnt fact replaces the one learnt longest ago. */
  max_facts: whole(1, MAX_MEMORIES).default(50),
  /** Maximum tokens of all facts in a prompt. */
  max_tokens: whole(50, 4_000).default(1_000),
  /** Model configuration that extracts facts; null for the agent's own. */
  llm: z.int('the id of a model configuration').nullable().default(null),
});
export type MemorySettings = z.infer<typeof memorySettingsSchema>;

/** Reads the settings. Unreadable ones date from before these keys existed, so memory is off for them. */
export function readMemorySettings(config: JsonObject): MemorySettings {
  return memorySettingsSchema.safeParse(config['memory'] ?? {}).data ?? memorySettingsSchema.parse({});
}
