// Second half of `npm run build`: bundles the compiled programs in dist.
import { join } from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';
import { PROGRAM_FOLDERS, PROGRAMS, SIMULATOR } from './programs.ts';

const root = join(import.meta.dirname, '..', '..');
await bundlePrograms({ root, programs: PROGRAMS, folder: PROGRAM_FOLDERS.service });
await bundlePrograms({ root, programs: SIMULATOR, folder: PROGRAM_FOLDERS.simulator });
