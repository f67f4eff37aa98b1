// Builds the npm package in packages/capstan: its parts with esbuild, its types with tsc. Then `npm pack` packs it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { copyDocuments } from './copy-documents.ts';
import { bundlePackage } from './bundle-package.ts';
import { writePackagePrograms } from './write-package-programs.ts';

const root = join(import.meta.dirname, '..', '..');
await bundlePackage(root);
await writePackagePrograms(root, 'packages/capstan');
copyDocuments(root);
const args = ['-p', join(root, 'packages/capstan'), '--incremental', 'false'];
execFileSync(join(root, 'node_modules/.bin/tsc'), args, { stdio: 'inherit' });
