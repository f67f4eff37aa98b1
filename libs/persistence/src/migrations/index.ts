import { CreateSchema1764000000000 } from './1764000000000-create-schema.js';

/** In their order. A migration that has landed is never edited. */
export const coreMigrations = [CreateSchema1764000000000];
