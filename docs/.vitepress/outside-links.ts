import { join, normalize } from 'node:path/posix';
import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Address of the repository's files, such as `https://example.com/capstan/blob/main/`; without it links are plain text. */
const REPOSITORY_FILES = process.env['REPOSITORY_FILES'];

/** Leads links out of `docs` to the repository, since the site does not have those files, and `README.md` to its page. */
export function fitLinksToSite(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('fit-links-to-site', ({ tokens, env }) => {
    const { relativePath = '' } = env as { relativePath?: string };
    for (const { children } of tokens) fitLinks(children ?? [], relativePath);
  });
}

function fitLinks(tokens: readonly Token[], page: string): void {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? '';
      const file = outsideFile(page, href);
      isPlain = file !== null && REPOSITORY_FILES === undefined;
      token.attrSet(
        'href',
        file === null ? href.replace(/README\.md(?=#|$)/, 'index.md') : `${REPOSITORY_FILES}${file}`,
      );
    }
    if (!isPlain) continue;
    const isEnd = token.type === 'link_close';
    if (isEnd || token.type === 'link_open') Object.assign(token, { type: 'text', content: '', nesting: 0 });
    if (isEnd) isPlain = false;
  }
}

/** Path from the root of the repository, or null for a link within `docs` or to another site. */
function outsideFile(page: string, href: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return null;
  const path = normalize(join('docs', page, '..', href));
  return path.startsWith('docs/') ? null : path;
}
