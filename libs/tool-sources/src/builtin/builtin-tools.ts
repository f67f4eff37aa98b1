import { AppError } from '#libs/kernel';
import { ToolCatalogue, ToolSource, type ToolDefinition, type ToolSourceContext } from '#libs/tooling';
import { z } from 'zod';
import { compileJsonSchema } from '../json-schema/compile-json-schema.js';

const agentToolsSchema = z.object({
  builtin: z.array(z.string(), 'builtin: must be a list of tool names').default([]),
});

/** The tools that this installation brings along; an agent names those that it may call in `tools.builtin`. */
export class BuiltinTools extends ToolSource {
  /** All of them, whoever may call them. */
  readonly catalogue: ToolCatalogue;

  /** Throws an `AppError` for a tool that would only fail once it is called. */
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
    // A tool that has vanished since the agent was written is never silently left out.
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
