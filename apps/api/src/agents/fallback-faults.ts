import type { JsonObject } from '#libs/kernel';
import { loopParametersSchema } from '#libs/payloads';
import type { LlmStore } from '#libs/persistence';
import { pointerTo, type FieldError } from '../http/request-errors.js';

/** Finds fallbacks that are no model configurations of the tenant; their form is checked with the other options. */
export async function findFallbackFaults(
  tenantId: string,
  config: JsonObject,
  llms: Pick<LlmStore, 'find'>,
): Promise<FieldError[]> {
  const ids = loopParametersSchema.shape.fallbacks.safeParse(config['fallbacks']).data ?? [];
  const found = await Promise.all(ids.map((id) => llms.find(tenantId, id)));
  return ids.flatMap((id, at) => {
    if (found[at] !== null) return [];
    const detail = `there is no model configuration with the id ${id}`;
    return [{ pointer: pointerTo(['config', 'fallbacks', at]), detail }];
  });
}
