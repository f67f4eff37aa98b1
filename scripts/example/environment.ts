import { join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
const PROJECTS = ['order-entry', 'support-desk'].map((name) => join(EXAMPLES, name, 'capstan'));

/** Variables that load the examples. Quickstart, dev and the tests of this repository set them where they are not set. */
export const EXAMPLE_ENVIRONMENT = { PROJECT: PROJECTS.join(',') } as const;
