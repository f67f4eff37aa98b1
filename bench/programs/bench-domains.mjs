// The domains of the installation and of the bench, for the bundles of the bench.
export * from '#libs/domains';
export { benchDomain } from './bench-domain.mjs';
