import { resolve } from 'node:path';
import { engineFolder } from '#libs/config';
import { installEngine } from '#libs/model-providers';

const [, , given = engineFolder(process.env)] = process.argv;
try {
  console.log(await installEngine(resolve(given)));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
