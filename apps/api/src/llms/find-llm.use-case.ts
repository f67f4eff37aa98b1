import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmView, type Versioned } from '#libs/persistence';
import { llmNotFound } from './llm.faults.js';

/** One model configuration of the tenant. Throws `NOT_FOUND`. */
@Injectable()
export class FindLlm {
  constructor(private readonly llms: LlmStore) {}

  async execute(tenantId: string, id: number): Promise<Versioned<LlmView>> {
    const llm = await this.llms.find(tenantId, id);
    if (llm === null) throw llmNotFound();
    return llm;
  }
}
