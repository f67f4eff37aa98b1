import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';

/** Facts about one executor, whoever wrote them. */
export const MAX_MEMORIES = 200;

const whole = (least: number, most: number) =>
  z
    .int(`a whole number from ${least} to ${most}`)
    .min(least, `at least ${least}`)
    .max(most, `at most ${most}`);

/** What an agent remembers of those whom it acts for, as its configuration says it (`config.memory`). */
export const memorySettingsSchema = z.strictObject({
  /** Whether facts are learnt after its executions, and stand in its prompt. */
  enabled: z.boolean('true or false').default(false),
  /** So many facts of an executor are kept before what is learnt takes the place of what was learnt long ago. */
  max_facts: whole(1, MAX_MEMORIES).default(50),
  /** Tokens of all facts in one prompt. */
  max_tokens: whole(50, 4_000).default(1_000),
  /** The model configuration that is asked for facts; null: the agent's own. */
  llm: z.int('the id of a model configuration').nullable().default(null),
});
export type MemorySettings = z.infer<typeof memorySettingsSchema>;

/** What cannot be read was stored before these keys meant anything: such an agent remembers nothing. */
export function readMemorySettings(config: JsonObject): MemorySettings {
  return memorySettingsSchema.safeParse(config['memory'] ?? {}).data ?? memorySettingsSchema.parse({});
}
