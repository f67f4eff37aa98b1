/**
 * Packages that programs read past their bundle, with the files that they read there: all that an image needs of
 * `node_modules`. Paths are relative to the package.
 */
export const RUNTIME_FILES: Readonly<Record<string, RegExp>> = {
  // A tokenizer is loaded for its first text, and its tokens are data.
  'gpt-tokenizer':
    /^(?:package\.json|LICENSE|cjs\/(?!bpeRanks\/|encoding\/|model\/).*|data\/(?:cl100k|o200k)_base\.tiktoken)$/,
  // Character maps are files.
  'pdfjs-dist': /^(?:package\.json|LICENSE|cmaps\/.*)$/,
  // The page of the OpenAPI document is files, of which those for other bundlers are never asked for.
  'swagger-ui-dist': /^(?!swagger-ui-es-|log\.|.*\.map$).*$/,
};

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** True for a file at the top of a package that says under which terms it is given. */
export function isLicence(file: string): boolean {
  return LICENCE.test(file);
}

/** The folder of the package that a bundled module is from, as `node_modules/…/name`; null for a module of ours. */
export function packageFolder(input: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? null;
}
