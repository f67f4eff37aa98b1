import { AppError } from '#libs/kernel';
import { ToolCatalogue, ToolSource, type ToolDefinition, type ToolSourceContext } from '#libs/tooling';
import { z } from 'zod';
import { compileJsonSchema } from '../json-schema/compile-json-schema.js';

const agentToolsSchema = z.object({
  builtin: z.array(z.string(), 'builtin: must be a list of tool names').default([]),
});

/** The built-in tools of this installation; an agent selects those that it may call in `tools.builtin`. */
export class BuiltinTools extends ToolSource {
  /** All built-in tools, regardless of an agent's selection. */
  readonly catalogue: ToolCatalogue;

  /** Throws an `AppError` for an invalid definition, which would otherwise only fail when called. */
  constructor(definitions: readonly ToolDefinition[]) {
    super();
    this.catalogue = new ToolCatalogue(definitions, compileJsonSchema);
  }

  override load({ agentTools }: Pick<ToolSourceContext, 'agentTools'>): Promise<ToolCatalogue> {
    return Promise.resolve().then(() => this.pick(agentTools));
  }

  private pick(agentTools: ToolSourceContext['agentTools']): ToolCatalogue {
    const read = agentToolsSchema.safeParse(agentTools);
    if (!read.success) throw unusable(read.error.issues.map(({ message }) => message));
    const { builtin } = read.data;
    // A removed tool is an error: the agent must not silently run without it.
    const missing = builtin.filter((name) => !this.catalogue.find(name));
    if (missing.length > 0) throw unusable(missing.map((name) => `there is no tool named ${name}`));
    return this.catalogue.pick(builtin);
  }
}

function unusable(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the tools of the agent are not usable: ${faults.join('; ')}`,
  });
}
