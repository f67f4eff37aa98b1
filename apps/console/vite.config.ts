import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Origin of a running API, to which the development server passes on what is asked of `/api`. */
const API = process.env['CONSOLE_API'] ?? 'http://localhost:3000';

/** Small modules that several screens use: icons, parts of pages, formats and requests. */
const SHARED = /lucide-react|[\\/]src[\\/](?:api|conversation|decisions|format|ui)[\\/]/;

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

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [tailwindcss(), sonnerWithoutInlineStyles],
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
      // One file instead of forty: a browser asks for six at a time.
      output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] } },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, proxy: { '/api': { target: API }, '/readyz': { target: API } } },
});
