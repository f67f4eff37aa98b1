/**
 * Packages that programs read outside their bundles, with the files they read: everything that an image needs of
 * `node_modules`. Paths are relative to the package.
 */
export const RUNTIME_FILES: Readonly<Record<string, RegExp>> = {
  // A tokenizer is loaded at its first text, and its tokens are data files.
  'gpt-tokenizer':
    /^(?:package\.json|LICENSE|cjs\/(?!bpeRanks\/|encoding\/|model\/).*|data\/(?:cl100k|o200k)_base\.tiktoken)$/,
  // Character maps are data files.
  'pdfjs-dist': /^(?:package\.json|LICENSE|cmaps\/.*)$/,
};

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** Whether the file, at the top level of a package, is its licence. */
export function isLicence(file: string): boolean {
  return LICENCE.test(file);
}

/** Package folder of a bundled module, as `node_modules/…/name`; null for a module of this repository. */
export function packageFolder(input: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? null;
}
