export { FileSandbox, type FileSandboxOptions } from './file-sandbox/file-sandbox.js';
export type { SandboxRead } from './file-sandbox/read-verified.js';
