/** Makes the folder of one test run under the temporary directory, marked with the process that owns it. */
export function createRunFolder(): string;

/** The folders of runs whose owner is gone without having cleaned up. */
export function abandonedRunFolders(): string[];

/** Removes a run's folder with everything in it. */
export function removeRunFolder(folder: string): void;
