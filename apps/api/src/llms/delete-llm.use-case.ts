import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import { LlmStore, type ExpectedVersions } from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import { llmInUse, llmNotFound } from './llm.faults.js';

/**
 * Removes a model configuration with its key. Throws `NOT_FOUND`, `VERSION_CHANGED`, and `LLM_IN_USE` while an agent
 * refers to it.
 */
@Injectable()
export class DeleteLlm {
  constructor(private readonly llms: LlmStore) {}

  async execute(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.llms.delete(tenantId, id, expected);
    switch (deletion) {
      case 'deleted':
        return;
      case 'not_found':
        throw llmNotFound();
      case 'other_version':
        throw otherVersion();
      case 'in_use':
        throw llmInUse();
      default:
        assertNever(deletion);
    }
  }
}
