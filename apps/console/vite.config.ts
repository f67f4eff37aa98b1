import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Origin of a running API, to which the development server passes on what is asked of `/api`. */
const API = process.env['CONSOLE_API'] ?? 'http://localhost:3000';

const BASE = '/console/';

/** Small modules that several screens use: icons, links, parts of pages, formats, requests and what addresses hold. */
const SHARED =
  /lucide-react|react-router|-search\.ts$|[\\/]src[\\/](?:api|conversation|decisions|format|ui)[\\/]/;

/**
 * sonner adds its styles as a `<style>` element, which the content security policy forbids. The same styles are
 * imported as a file (`app/app.css`).
 */
const sonnerWithoutInlineStyles: Plugin = {
  name: 'sonner-without-inline-styles',
  transform: {
    filter: { id: /\/sonner\/dist\/index\.mjs/ },
    handler: (code) => code.replace('__insertCSS("', 'void ("'),
  },
};

/** Names the files of `app/start.tsx` in the page: they load beside the entry, which asks for data before it needs them. */
const startPreloaded: Plugin = {
  name: 'start-preloaded',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'start');
      if (start?.type !== 'chunk') return [];
      const styles = start.imports.flatMap((name) => {
        const file = bundle[name];
        return file?.type === 'chunk' ? [...(file.viteMetadata?.importedCss ?? [])] : [];
      });
      return [
        ...[start.fileName, ...start.imports].map((name) => ({ name, rel: 'modulepreload' })),
        ...styles.map((name) => ({ name, rel: 'stylesheet' })),
      ]
        .filter(({ name }) => !html.includes(name))
        .map(({ name, rel }) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `${BASE}${name}` },
          injectTo: 'head',
        }));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [tailwindcss(), sonnerWithoutInlineStyles, startPreloaded],
  build: {
    outDir: join(import.meta.dirname, '../../dist/apps/console'),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // A data: URL would need an exception of the content security policy.
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          groups: [
            // The entry asks for data, so it is kept small.
            { name: 'ahead', tags: ['$initial'], priority: 1 },
            // One file instead of forty: a browser asks for six at a time.
            { name: 'shared', test: SHARED, minShareCount: 2 },
          ],
        },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, proxy: { '/api': { target: API }, '/readyz': { target: API } } },
});
