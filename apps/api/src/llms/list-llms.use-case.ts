import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { LlmListQuery } from './llm.dto.js';

/** The model configurations of the tenant by id, ascending. */
@Injectable()
export class ListLlms {
  constructor(private readonly llms: LlmStore) {}

  async execute(tenantId: string, { limit, cursor: afterId }: LlmListQuery): Promise<Page<LlmView>> {
    return toPage(await this.llms.list(tenantId, { afterId, limit }), byId);
  }
}
