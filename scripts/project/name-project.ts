/**
 * Names the folder of the project to the programs, by `PROJECT`.
 * @throws {Error} for a path with a comma, which separates two folders there
 */
export function nameProject(folder: string): void {
  if (folder.includes(','))
    throw new Error(
      `The path ${folder} has a comma, and commas separate the folders of PROJECT: give the project a path without one.`,
    );
  process.env['PROJECT'] = folder;
}
