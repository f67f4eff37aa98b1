/** Compiles the programs that exist for tests only to `dist/test`. */
export function compilePrograms(): Promise<void>;
