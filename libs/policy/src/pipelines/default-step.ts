import type { JsonObject } from '#libs/kernel';

/**
 * The step for a bare name (S3-35): the model does what the agent's prompt says about this step, with all its tools,
 * and reads the input and the outputs of the previous steps.
 */
export function defaultStep(name: string, before: readonly string[]): JsonObject {
  const found = before.map((earlier) => `\n\nWhat the step "${earlier}" came to:\n{{/steps/${earlier}}}`);
  return {
    name,
    kind: 'llm',
    prompt: `Do the step "${name}", and nothing that comes after it.\n\nWhat is asked for:\n{{/input}}${found.join('')}`,
  };
}
