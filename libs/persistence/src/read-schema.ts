import { readFileSync } from 'node:fs';

/** The text of `schema/<name>.sql`. A bundle has the folder `schema` beside it. */
export function readSchema(name: string): string {
  return readFileSync(new URL(`./schema/${name}.sql`, import.meta.url), 'utf8');
}
