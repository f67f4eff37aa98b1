// Last part of `npm run build`: builds the documentation site and the API reference into dist/site, unless they are there
// from the same sources.
import { join } from 'node:path';
import { build } from 'vitepress';
import { buildIfChanged } from './source-fingerprint.ts';

const root = join(import.meta.dirname, '..', '..');

await buildIfChanged(
  {
    root,
    sources: ['docs', 'scripts/build/write-site.ts'],
    output: 'dist/site/index.html',
    record: 'dist/.site-sources',
  },
  () => build(join(root, 'docs')),
);
