import { join } from 'node:path';

/** Variables that load the examples. Quickstart, dev and the tests of this repository set them where they are not set. */
export const EXAMPLES = {
  DOMAINS: 'order-entry',
  PROJECT: join(import.meta.dirname, '../../examples/support-desk/capstan'),
} as const;
