import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isJsonObject } from '#libs/kernel';
import { PROGRAM_CHECKSUMS, SDK_INTEGRITY, SDK_PACKAGE, SDK_VERSION, sdkModule } from './sdk-release.js';

/**
 * Installs the Claude Agent SDK by npm into a folder of its own, and compares package and program with the release that
 * this engine is written for. What differs is removed. Returns what the operator does next; throws an `Error` that may be
 * shown.
 */
export async function installEngine(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  await rm(join(folder, 'package-lock.json'), { force: true });
  try {
    await install(folder);
    assertSame(SDK_PACKAGE, SDK_INTEGRITY, await readIntegrity(folder));
    const programs = await readPrograms(folder);
    if (programs.length === 0) throw new Error('the Claude Agent SDK has no program for this platform');
    for (const { platform, path } of programs)
      assertSame(`the program for ${platform}`, PROGRAM_CHECKSUMS[platform], await sha256Of(path));
  } catch (error) {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    throw error;
  }
  return `The Claude Agent SDK is in ${folder}: start workers with CLAUDE_AGENT_SDK=${folder}`;
}

async function install(folder: string): Promise<void> {
  // Peers are inside the SDK's main module.
  const flags = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts', '--save-exact'];
  const args = ['install', ...flags, `${SDK_PACKAGE}@${SDK_VERSION}`];
  const npm = spawn('npm', args, { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(npm, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm could not install ${SDK_PACKAGE} ${SDK_VERSION}`);
}

async function readIntegrity(folder: string): Promise<unknown> {
  const lock: unknown = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const packages = isJsonObject(lock) ? lock['packages'] : undefined;
  const installed = isJsonObject(packages) ? packages[`node_modules/${SDK_PACKAGE}`] : undefined;
  return isJsonObject(installed) ? installed['integrity'] : undefined;
}

/** Programs that npm has installed for this platform, each in a package beside the SDK's own. */
async function readPrograms(folder: string): Promise<{ platform: string; path: string }[]> {
  const scope = dirname(dirname(sdkModule(folder)));
  const prefix = `${SDK_PACKAGE.slice(SDK_PACKAGE.indexOf('/') + 1)}-`;
  const names = await readdir(scope);
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ platform: name.slice(prefix.length), path: join(scope, name, 'claude') }));
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function assertSame(name: string, expected: string | undefined, found: unknown): void {
  if (expected === undefined || found !== expected)
    throw new Error(
      `${name} is not the one of release ${SDK_VERSION}: its checksum differs; nothing is installed`,
    );
}
