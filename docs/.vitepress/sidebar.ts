import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const DOCS = join(import.meta.dirname, '..');
const FOLDERS = [
  ['Tutorial', 'tutorial'],
  ['Guides', 'guides'],
  ['Reference', 'reference'],
  ['Explanation', 'explanation'],
  ['Decisions', 'explanation/decisions'],
  ['Contributing', 'contributing'],
  ['Playbooks', 'contributing/playbooks'],
  ['Requirements', 'contributing/requirements'],
] as const;
const SHUT = ['Decisions', 'Contributing', 'Playbooks', 'Requirements'];

/** Every page by its folder and the title that it begins with. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const folders = FOLDERS.map(([text, folder]) => ({
    text,
    collapsed: SHUT.includes(text),
    items: pagesOf(folder),
  }));
  return [...folders, { text: 'Glossary', link: '/glossary' }];
}

function pagesOf(folder: string): DefaultTheme.SidebarItem[] {
  const names = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(DOCS, folder, name), 'utf8'))?.[1] ?? name;
    return { text: title, link: `/${folder}/${name === 'README.md' ? '' : name.replace(/\.md$/, '')}` };
  });
}
