import { resolve } from 'node:path';
import { CLAUDE_SDK_FOLDER } from '#libs/config';
import { installSdk } from '#libs/model-providers';

const [, , given = process.env['CLAUDE_AGENT_SDK'] ?? CLAUDE_SDK_FOLDER] = process.argv;
const folder = resolve(given);
try {
  await installSdk(folder);
  console.log(`The Claude Agent SDK is in ${folder}: start workers with CLAUDE_AGENT_SDK=${folder}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
