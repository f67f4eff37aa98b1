import { defineConfig } from 'vitepress';
import { writeApiReference } from './api-reference.ts';
import { moveScriptsOut } from './external-scripts.ts';
import { headingAnchor } from './heading-anchor.ts';
import { fitLinksToSite } from './outside-links.ts';
import { drawMermaid, keepBracesInCode } from './render-code.ts';
import { sidebar } from './sidebar.ts';

/** The documentation as a site: `npm run docs:dev`, `npm run docs:build`. A dead link between its pages fails the build. */
export default defineConfig({
  title: 'Capstan',
  description: 'A self-hosted, durable and audited execution service for LLM agents',
  base: '/docs/',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  transformHtml: (html, _id, { siteConfig }) => moveScriptsOut(html, siteConfig.site.base, siteConfig.outDir),
  buildEnd: ({ outDir }) => writeApiReference(outDir),
  markdown: {
    anchor: { slugify: headingAnchor },
    config(markdown) {
      drawMermaid(markdown);
      keepBracesInCode(markdown);
      fitLinksToSite(markdown);
    },
  },
  // The API reference that the text names stands at a path of the running service.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/first-agent' },
      { text: 'Guides', link: '/guides/deploy' },
      { text: 'Reference', link: '/reference/api' },
      { text: 'Explanation', link: '/explanation/architecture' },
      // No page of VitePress: the browser loads it.
      { text: 'API', link: '/api/', target: '_self' },
    ],
    sidebar: sidebar(),
  },
});
