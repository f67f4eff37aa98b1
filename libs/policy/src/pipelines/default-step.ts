import type { JsonObject } from '#libs/kernel';

/**
 * The step that a name alone stands for (S3-35): the model does what the agent's prompt says of this step, with all of its
 * tools, and knows what was asked and what the steps before have come to.
 */
export function defaultStep(name: string, before: readonly string[]): JsonObject {
  const found = before.map((earlier) => `\n\nWhat the step "${earlier}" came to:\n{{/steps/${earlier}}}`);
  return {
    name,
    kind: 'llm',
    prompt: `Do the step "${name}", and nothing that comes after it.\n\nWhat is asked for:\n{{/input}}${found.join('')}`,
  };
}
