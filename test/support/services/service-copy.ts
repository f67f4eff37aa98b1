import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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

  /** Adds a domain as the playbook says: one folder, one line. */
  async addDomain(name: string, sources: string, line: string): Promise<void> {
    await cp(sources, join(this.root, 'libs', name, 'src'), { recursive: true });
    await appendFile(join(this.root, 'libs', 'domains.ts'), `${line}\n`);
  }

  /** Removes a domain: its folder and its line, and those of its simulated model. */
  async removeDomain(name: string): Promise<void> {
    await rm(join(this.root, 'libs', name), { recursive: true });
    await this.dropLine('libs/domains.ts', `'#libs/${name}'`);
    await rm(join(this.root, 'apps/simulator/src/domains', name), { recursive: true });
    await this.dropLine('apps/simulator/src/domains.ts', `'./domains/${name}/`);
  }

  private async dropLine(path: string, part: string): Promise<void> {
    const file = join(this.root, path);
    const lines = (await readFile(file, 'utf8')).split('\n');
    const kept = lines.filter((line) => !line.includes(part));
    if (kept.length !== lines.length - 1) throw new Error(`${path} has no line of its own with: ${part}`);
    await writeFile(file, kept.join('\n'));
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
    const { PATH, DOMAINS, PROJECT } = process.env;
    const { stdout } = await run(process.execPath, [this.program('migrate'), ...options], {
      env: { PATH, DOMAINS, PROJECT, ...env },
    });
    return stdout;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
