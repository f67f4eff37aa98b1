import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const COPIED = ['apps', 'libs', 'scripts/build', 'package.json', '.swcrc'];
const run = promisify(execFile);

/** The sources of the service in a temporary folder, which a test changes and builds as an operator would. */
export class ServiceCopy {
  private constructor(readonly root: string) {}

  static async make(): Promise<ServiceCopy> {
    const root = await mkdtemp(join(tmpdir(), 'capstan-copy-'));
    for (const name of COPIED) await cp(join(ROOT, name), join(root, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return new ServiceCopy(root);
  }

  /** Changes one of the sources, which must hold `find` exactly once. */
  async replace(path: string, find: string, replacement: string): Promise<void> {
    const file = join(this.root, path);
    const parts = (await readFile(file, 'utf8')).split(find);
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${find}`);
    await writeFile(file, parts.join(replacement));
  }

  /** Builds the copy as `npm run build` does. */
  async build(): Promise<void> {
    const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
    const options = [
      'apps',
      'libs',
      '-d',
      'dist',
      '--ignore',
      '**/*.spec.ts,apps/console/**',
      '--copy-files',
    ];
    await run(process.execPath, [swc, ...options], { cwd: this.root });
    await run(process.execPath, [join('scripts', 'build', 'write-programs.ts')], { cwd: this.root });
  }

  /** The path of a program of the copy. */
  program(name: ProgramName): string {
    return this.file(programFile(name));
  }

  /** The path of a file of the copy. */
  file(path: string): string {
    return join(this.root, path);
  }

  /** Runs `migrate` to its end and returns its output; rejects with the output if it fails. */
  async migrate(env: Readonly<Record<string, string>>, ...options: string[]): Promise<string> {
    const { PATH, PROJECT } = process.env;
    const { stdout } = await run(process.execPath, [this.program('migrate'), ...options], {
      env: { PATH, PROJECT, ...env },
    });
    return stdout;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
