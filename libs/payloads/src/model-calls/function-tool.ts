import type { JsonObject } from '#libs/kernel';

/** What the payload builder needs to know of a tool; `parameters` is a JSON Schema object. */
export interface FunctionTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}
