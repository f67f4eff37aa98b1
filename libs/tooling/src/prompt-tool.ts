import type { JsonObject } from '#libs/kernel';

/** A function tool as the model sees it; `parameters` is a JSON Schema object. */
export interface PromptTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}
