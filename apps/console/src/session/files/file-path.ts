/** Path of a chosen file below a folder; systems differ in how they write letters with marks. Pure. */
export function pathIn(folder: string, name: string): string {
  const parts = folder.split('/').map((part) => part.trim());
  return [...parts.filter((part) => part !== ''), name.trim()].join('/').normalize('NFC');
}
