import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import { LlmStore } from '#libs/persistence';
import { llmInUse, llmNotFound } from './llm.faults.js';

/** Removes a model configuration with its key. Throws `NOT_FOUND`, and `LLM_IN_USE` while an agent refers to it. */
@Injectable()
export class DeleteLlm {
  constructor(private readonly llms: LlmStore) {}

  async execute(tenantId: string, id: number): Promise<void> {
    const deletion = await this.llms.delete(tenantId, id);
    switch (deletion) {
      case 'deleted':
        return;
      case 'not_found':
        throw llmNotFound();
      case 'in_use':
        throw llmInUse();
      default:
        assertNever(deletion);
    }
  }
}
