// @ts-check
import getPort from 'get-port';
import { startProgram } from './bench-program.mjs';

export const MODEL_MS = 20;
export const TOOL_MS = 10;

/**
 * The model and tool server shared by all systems.
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @param {number} [modelMs] how long the model takes for an answer
 * @returns {Promise<{url: string, pid: number}>}
 */
export async function startFakeModel({ root, context }, modelMs = MODEL_MS) {
  const port = await getPort({ host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  const { pid } = await startProgram({
    root,
    name: 'bench-fake-model',
    entry: 'bench/programs/fake-model.mjs',
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      FAKE_MODEL_MS: String(modelMs),
      FAKE_TOOL_MS: String(TOOL_MS),
    },
    readyUrl: `${url}/readyz`,
    signal: context.signal,
    defer: context.onStop,
  });
  return { url, pid };
}
