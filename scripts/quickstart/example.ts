import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ApiClient } from './api-client.ts';

/** A domain's agent for the quickstart to demonstrate. */
export interface Example {
  /** Name of the seeded agent. */
  readonly agent: string;
  /** The agent's model without a model provider. */
  readonly simulatedModel: string;
  /** Folder of the inputs (`.txt`), relative to the root. */
  readonly inputs: string;
  /**
   * Prints the result of a completed execution.
   * @param result the `result` of the execution
   * @returns the problems found, a sentence each
   */
  readonly showResult: (result: unknown, client: ApiClient) => Promise<string[]>;
}

export interface ExampleInput {
  /** Path, relative to the root if below it. */
  readonly name: string;
  readonly text: string;
  /** Path of the input to suggest next. */
  readonly next: string;
}

/**
 * The input to submit: the chosen file, or the first one of the example.
 * @param chosen path of a file, relative to the user's folder
 * @throws {Error} when the file is missing or empty
 */
export function readInput(root: string, example: Example, chosen: string | null): ExampleInput {
  const examples = readdirSync(join(root, example.inputs))
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => join(example.inputs, name));
  const [first] = examples;
  // `npm run` changes into the repository; INIT_CWD is the user's folder.
  const name =
    chosen === null ? first : fromRoot(root, resolve(process.env['INIT_CWD'] ?? process.cwd(), chosen));
  if (name === undefined) throw new Error(`${example.inputs} holds no input (.txt).`);
  return { name, text: readText(root, name), next: examples[examples.indexOf(name) + 1] ?? first ?? name };
}

function fromRoot(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below;
}

function readText(root: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(resolve(root, name), 'utf8').trim();
  } catch (cause) {
    throw new Error(`The input ${name} cannot be read.`, { cause });
  }
  if (text === '') throw new Error(`The input ${name} is empty.`);
  return text;
}
