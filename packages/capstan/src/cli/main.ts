#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { isInRange } from './node-range.js';
import { runProgram } from './program.js';
import { readFiles } from './resources/read-files.js';
import type { ServicePrograms } from './surroundings.js';

/** Bundle with the service’s programs, beside this one; it is large, and most commands do without it. */
const SERVICE = new URL('local/main.js', import.meta.url).href;

const { stdin, stdout, stderr } = process;
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
// A reader such as `head` that has had enough ends the program quietly.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

const { version, engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  version,
  write: (line) => void stdout.write(line),
  writeError: (line) => void stderr.write(line),
  isTerminal: stdout.isTTY,
  canAsk: stdin.isTTY && stdout.isTTY,
  columns: stdout.isTTY ? stdout.columns : null,
  ask,
  readInput: () => text(stdin),
  readFiles,
  signal: stopping.signal,
  now: () => Date.now(),
  fetch: (...request) => fetch(...request),
  loadService,
});

/** @throws {Error} on a version of Node that the service’s programs do not run on */
async function loadService(): Promise<ServicePrograms> {
  const { node } = process.versions;
  if (!isInRange(node, engines.node))
    throw new Error(
      `The service needs Node ${engines.node}, and this is Node ${node}. Install one of them from https://nodejs.org, or run the container image.`,
    );
  return (await import(SERVICE)) as ServicePrograms;
}

/** The answer of the person; empty where the input ends. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout });
  lines.once('SIGINT', () => stopping.abort());
  try {
    return await lines.question(question, { signal: stopping.signal });
  } catch (error) {
    if (stopping.signal.aborted) throw error;
    return '';
  } finally {
    lines.close();
  }
}
