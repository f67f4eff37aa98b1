import { describe, expect, it } from '@jest/globals';
import { selectProjectFiles } from './project-files.js';

describe('files of a project', () => {
  it('are the sources below its folders, in alphabetical order', () => {
    const paths = [
      'tools/b.ts',
      'agents/a.mts',
      'tools/sub/a.js',
      'tools/c.mjs',
      'capstan.config.ts',
      'src/x.ts',
      'pipelines/a.ts',
      'domains/parcels/index.ts',
    ];
    expect(selectProjectFiles(paths)).toEqual([
      'agents/a.mts',
      'domains/parcels/index.ts',
      'pipelines/a.ts',
      'tools/b.ts',
      'tools/c.mjs',
      'tools/sub/a.js',
    ]);
  });

  it.each([
    'tools/a.spec.ts',
    'tools/a.test.mjs',
    'tools/a.d.ts',
    'tools/a.d.mts',
    'tools/_shared.ts',
    'tools/_shared/a.ts',
    'tools/.hidden.ts',
    'tools/node_modules/x/index.js',
    'tools/readme.md',
    'tools/data.json',
    'domains/index.ts',
    'domains/parcels/parcel.ts',
    'domains/parcels/tools/index.ts',
  ])('do not include %s', (path) => {
    expect(selectProjectFiles([path])).toEqual([]);
  });
});
