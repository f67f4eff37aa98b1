// The domains of the installation, and the bench's: what the programs of the bench are bundled with.
export * from '#libs/domains';
export { benchDomain } from './bench-domain.mjs';
