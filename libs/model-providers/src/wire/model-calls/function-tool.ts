import type { JsonObject } from '#libs/kernel';

/** Tool description for request builders; `parameters` is a JSON Schema object. */
export interface FunctionTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}
