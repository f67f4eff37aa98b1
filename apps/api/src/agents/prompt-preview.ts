import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { loopParametersSchema, mergeOptions } from '#libs/payloads';
import { LlmStore, MAX_SKILLS, SkillStore, TenantStore } from '#libs/persistence';
import { composePrompt, type ComposedPrompt } from '#libs/policy';
import { parseRequestPart } from '../http/request-validation.js';
import type { PromptPreviewFieldsDto } from './agents.dto.js';
import { llmNotFound } from './agents.errors.js';

/** The parameters that decide over the prompt, at their place in the body. */
const promptConfigSchema = z.object({
  config: loopParametersSchema.pick({ strategy: true, prompt_policy_overrides: true }),
});

/** Composes the system prompt that an agent with these fields would have, as far as no request adds to it. */
@Injectable()
export class PromptPreview {
  constructor(
    private readonly tenants: TenantStore,
    private readonly skills: SkillStore,
    private readonly llms: LlmStore,
  ) {}

  /** Throws an `InvalidRequestError` for a missing model configuration, and for parameters that no agent could have. */
  async execute(
    tenantId: string,
    { llm, system_prompt: systemPrompt, config }: PromptPreviewFieldsDto,
  ): Promise<ComposedPrompt> {
    const [tenant, skills, model] = await Promise.all([
      this.tenants.find(tenantId),
      this.skills.list(tenantId, { limit: MAX_SKILLS }),
      llm === null ? null : this.llms.find(tenantId, llm),
    ]);
    if (llm !== null && model === null) throw llmNotFound();
    const merged = { config: mergeOptions(model?.view.extra ?? {}, config) };
    const { strategy, prompt_policy_overrides: overrides } = parseRequestPart(
      promptConfigSchema,
      merged,
      'body',
    ).config;
    return composePrompt({
      preferredSkills: [],
      tenantPrompt: tenant?.view.system_prompt ?? null,
      agent: { systemPrompt, policies: strategy === null ? null : { overrides } },
      workspace: null,
      skills: skills.rows
        .filter(({ is_active: isActive }) => isActive)
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    });
  }
}
