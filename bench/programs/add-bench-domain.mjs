// @ts-check
// Loaded into API and worker (node --import): adds the bench's domain to the list of domains. The programs run as they
// are built, and an agent can have the bench's tools.
import { registerHooks } from 'node:module';

const LIST = '#libs/domains';
const ADDED = new URL('bench-domain.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return specifier === LIST ? { ...resolved, url: `${resolved.url}?with-bench` } : resolved;
  },
  load: (url, context, next) => {
    if (!url.endsWith('?with-bench')) return next(url, context);
    const listed = url.replace('?with-bench', '');
    const source = `export * from ${JSON.stringify(listed)};\nexport { benchDomain } from ${JSON.stringify(ADDED)};\n`;
    return { format: 'module', source, shortCircuit: true };
  },
});
