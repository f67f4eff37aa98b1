import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { LlmListQuery } from './llms.dto.js';
import { llmNotFound } from './llms.faults.js';

/** Reads the model configurations of a tenant. */
@Injectable()
export class LlmsQueries {
  constructor(private readonly llms: LlmStore) {}

  /** By id, ascending. */
  async list(tenantId: string, { limit, cursor: afterId }: LlmListQuery): Promise<Page<LlmView>> {
    return toPage(await this.llms.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<LlmView>> {
    const llm = await this.llms.find(tenantId, id);
    if (llm === null) throw llmNotFound();
    return llm;
  }
}
