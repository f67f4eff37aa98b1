import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import type { CommandContext } from './run-until-stopped.ts';

/** All scopes, since the key is for the machine's owner, and commands in the documentation need them. */
const SCOPES = 'all';

/**
 * API key of an environment, created at its first start with AUTH=api-key and stored in its folder, readable only by its
 * owner. A key that the database does not know is replaced.
 * @param options.file path of the migrate program, below the root
 * @throws {Error} with the last lines of the program
 */
export async function provideApiKey(options: {
  root: string;
  file: string;
  folder: string;
  env: Readonly<Record<string, string>>;
  api: string;
  context: Pick<CommandContext, 'signal'>;
}): Promise<string> {
  const { root, file, folder, env, api, context } = options;
  const kept = readKey(folder);
  if (kept !== null && (await isAccepted(api, kept))) return kept;
  const { stdout } = await execa(
    process.execPath,
    [join(root, file), '--create-api-key', 'quickstart', '--scopes', SCOPES],
    { cwd: root, env, extendEnv: false, cancelSignal: context.signal },
  );
  const key = /^csk_\S+$/mu.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`No API key was made: ${stdout}`);
  writeFileSync(keyFile(folder), `${key}\n`, { mode: 0o600 });
  return key;
}

async function isAccepted(api: string, key: string): Promise<boolean> {
  const answer = await fetch(`${api}/api/agents/`, { headers: { authorization: `Bearer ${key}` } });
  await answer.body?.cancel();
  return answer.ok;
}

function readKey(folder: string): string | null {
  try {
    return readFileSync(keyFile(folder), 'utf8').trim();
  } catch {
    return null;
  }
}

function keyFile(folder: string): string {
  return join(folder, 'api-key');
}
