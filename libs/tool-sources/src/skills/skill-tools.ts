import { READ_SKILL } from '#libs/policy';
import {
  defineTool,
  errorResult,
  ToolCatalogue,
  ToolSource,
  type ToolDefinition,
  type ToolSourceContext,
} from '#libs/tooling';
import { z } from 'zod';

/** Storage of the tenants' skills. */
export interface SkillShelf {
  /** Text of an active skill; null if the tenant has none of this name. */
  readContent(tenantId: string, name: string): Promise<string | null>;
}

/** Large enough for a skill, which has at most 65 536 bytes: skills are never truncated. */
const MAX_OUTPUT_BYTES = 131_072;
const TIMEOUT_MS = 10_000;

/** Lets agents read their tenant's active skills (S4-7). */
export class SkillTools extends ToolSource {
  private readonly all: ToolCatalogue;

  constructor(shelf: SkillShelf) {
    super();
    this.all = new ToolCatalogue([readSkill(shelf)]);
  }

  override load({ hasSkills }: Pick<ToolSourceContext, 'hasSkills'>): Promise<ToolCatalogue> {
    return Promise.resolve(this.all.pick(hasSkills ? [READ_SKILL] : []));
  }
}

function readSkill(shelf: SkillShelf): ToolDefinition {
  return defineTool({
    name: READ_SKILL,
    label: 'read skill',
    description: 'Gives the instructions of one of the skills that are listed, by its name.',
    effect: 'read',
    input: z.strictObject({ name: z.string().describe('The name of the skill, as it is listed.') }),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ name }, { tenantId }) => {
      const content = await shelf.readContent(tenantId, name);
      if (content === null)
        return { result: errorResult('there is no skill of this name; use a listed one') };
      return {
        result: { status: 'success', result: { name } },
        outputs: [{ type: 'text', text: content }],
      };
    },
  });
}
