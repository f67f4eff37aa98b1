const SERVICES = /** @type {const} */ (['simulator', 'api', 'worker']);

/**
 * The services that a changed file of `dist` belongs to: one for a file of its own app, all for a library.
 * @param {string} path below `dist`
 * @returns {readonly import('./local-services.mjs').ServiceName[]}
 */
export function servicesOf(path) {
  const [kind, app] = path.split(/[\\/]/u);
  if (!path.endsWith('.js')) return [];
  if (kind === 'libs') return SERVICES;
  return SERVICES.filter((name) => kind === 'apps' && name === app);
}
