import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RUNTIME_FILES } from './runtime-files.ts';

/**
 * Copies the packages that programs read outside their bundles to `target/node_modules`, reduced to the files they read.
 * Their own dependencies and install scripts are left out.
 * @param root root of the repository
 */
export function copyRuntimeFiles(root: string, target: string): void {
  for (const [name, isNeeded] of Object.entries(RUNTIME_FILES)) copyPackage(root, target, name, isNeeded);
}

function copyPackage(root: string, target: string, name: string, isNeeded: RegExp): void {
  const source = join(root, 'node_modules', name);
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const inPackage = path.slice(source.length + 1);
    if (!entry.isFile() || !isNeeded.test(inPackage)) continue;
    const copy = join(target, 'node_modules', name, inPackage);
    mkdirSync(dirname(copy), { recursive: true });
    if (inPackage === 'package.json') writeFileSync(copy, withoutDependencies(readFileSync(path, 'utf8')));
    else copyFileSync(path, copy);
  }
}

function withoutDependencies(text: string): string {
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const kept = fields.filter(([name]) => name !== 'scripts' && !/dependencies/i.test(name));
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}
