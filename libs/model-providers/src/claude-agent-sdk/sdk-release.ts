import { resolve } from 'node:path';

/** The release of the Claude Agent SDK that this engine is written for; its licence does not allow to bundle it. */
export const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';
export const SDK_VERSION = '0.3.332';
/** Version of the program inside it. */
export const SDK_PROGRAM_VERSION = '2.1.332';

/** Integrity of the package, as the registry publishes it. */
export const SDK_INTEGRITY =
  'sha512-N0ejnrTLMNJYXkvhdmLEy8QSfjym2ljJCkUBCrLKesYNGgqooi8zHDHawNsi+An6zav/ImPnpi27sbRsRjfcOw==';

/** SHA-256 of the program in the package of each platform. */
export const PROGRAM_CHECKSUMS: Readonly<Record<string, string>> = {
  'linux-x64': 'a2df1f41bb00250992926420d0063f89b127cb81abdd284dbefb80c50ff1d026',
  'linux-arm64': '50c305fcb8912851ce774429131d94ed6f84edbe3d8d0ed7a59dade5d893acc0',
  'linux-x64-musl': '81f466623d672aed9504ad29b8bb2f240b24f3cc05c255054649250720a1900f',
  'linux-arm64-musl': '122dd3751257a9e769d8c08b19d16e45f3e86c43a09e18d7182fc01c81143246',
  'darwin-x64': '3ceb285194091d45b150561ac5d58ab5a58cddcdc6d086f883039a652c037cfa',
  'darwin-arm64': '5b8214f8f082f3187420b27b4063b9b4f4d9412cd66ea436d6d1966ad582700f',
};

/** The command that installs the SDK. */
export const INSTALL_COMMAND = 'npm run claude:install';

/** Path of the SDK's module in the folder that it is installed into. */
export function sdkModule(folder: string): string {
  return resolve(folder, 'node_modules', SDK_PACKAGE, 'sdk.mjs');
}
