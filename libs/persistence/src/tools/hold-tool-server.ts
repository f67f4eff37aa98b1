import type { EntityManager } from 'typeorm';
import { ToolServerEntity } from '../entities/tool-server.entity.js';

/** Whether the tenant has this tool server. It is not deleted before the transaction ends. */
export async function holdToolServer(manager: EntityManager, tenantId: string, id: string): Promise<boolean> {
  const held = { select: { id: true }, where: { tenantId, id }, lock: { mode: 'for_key_share' } } as const;
  return (await manager.findOne(ToolServerEntity, held)) !== null;
}
