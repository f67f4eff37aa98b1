import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { nameProject } from './name-project.ts';

let before: string | undefined;
beforeEach(() => {
  before = process.env['PROJECT'];
});
afterEach(() => {
  if (before === undefined) delete process.env['PROJECT'];
  else process.env['PROJECT'] = before;
});

it('names the folder of a project to the programs', () => {
  nameProject('/projects/my project');
  expect(process.env['PROJECT']).toBe('/projects/my project');
});

it('refuses a path with a comma, which the programs would divide', () => {
  expect(() => nameProject('/projects/a,b')).toThrow('The path /projects/a,b has a comma');
  expect(process.env['PROJECT']).toBe(before);
});
