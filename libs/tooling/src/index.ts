export { errorResult, type FunctionCallResult } from './function-call-result.js';
export { judgeToolCall, type CallVerdict } from './judge-tool-call.js';
export { parseAndValidateToolArgs, type ValidatedArguments } from './parse-and-validate-tool-args.js';
export { parseToolArguments, type ParsedArguments } from './parse-tool-arguments.js';
export type { PromptTool } from './prompt-tool.js';
export { ToolCatalogue } from './tool-catalogue.js';
export { defineTool, type StagedChange, type ToolContext, type ToolDefinition, type ToolEffect, type ToolReturn } from './tool-definition.js';
