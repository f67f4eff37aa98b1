import { AppError } from '#libs/kernel';
import { checkToolDefinition } from './check-tool-definition.js';
import { offerOptions } from './offer-options.js';
import type { PromptTool } from './prompt-tool.js';
import { toStrictJsonSchema } from './strict-json-schema.js';
import type { ToolDefinition } from './tool-definition.js';

/** The tools of one process by name, checked once when it starts. */
export class ToolCatalogue {
  private readonly tools: ReadonlyMap<string, ToolDefinition>;
  private readonly described: ReadonlyMap<string, PromptTool>;

  constructor(definitions: readonly ToolDefinition[]) {
    definitions.forEach(checkToolDefinition);
    this.tools = new Map(definitions.map((tool) => [tool.name, tool]));
    if (this.tools.size !== definitions.length) throw duplicateName(definitions);
    this.described = new Map(definitions.map((tool) => [tool.name, describe(tool)]));
  }

  find(name: string): ToolDefinition | undefined {
    return this.tools.get(name);
  }

  names(): readonly string[] {
    return [...this.tools.keys()];
  }

  /** What the model is shown, for those of `names` that exist, in the order asked for. */
  describe(names: readonly string[]): readonly PromptTool[] {
    return names.flatMap((name) => this.described.get(name) ?? []);
  }
}

function describe(tool: ToolDefinition): PromptTool {
  const offered = offerOptions(toStrictJsonSchema(tool.input, tool.name), tool.parameterOptions ?? {});
  if (offered.kind === 'unmet') throw unmetOptions(tool, offered.parameter);
  return { name: tool.name, description: tool.description, parameters: offered.schema, strict: true };
}

function unmetOptions(tool: ToolDefinition, parameter: string): AppError {
  const message = `the tool "${tool.name}" has options for "${parameter}", which is not a text of its input`;
  return new AppError({ code: 'TOOL_OPTIONS_UNMET', kind: 'internal', message });
}

function duplicateName(definitions: readonly ToolDefinition[]): AppError {
  const names = definitions.map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return new AppError({
    code: 'TOOL_NAME_TAKEN',
    kind: 'internal',
    message: `two tools are called "${twice}"`,
  });
}
