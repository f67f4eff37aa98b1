import type { EntityManager } from 'typeorm';
import { LlmEntity } from '../entities/llm.entity.js';

/** True where the tenant has this model configuration, which is then locked against deletion until the transaction ends. */
export async function holdLlm(manager: EntityManager, tenantId: string, id: number): Promise<boolean> {
  const held = { select: { id: true }, where: { tenantId, id }, lock: { mode: 'for_key_share' } } as const;
  return (await manager.findOne(LlmEntity, held)) !== null;
}
