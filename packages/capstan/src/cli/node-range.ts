/** Whether a version is in a range of `^1.2.3` and `>=1.2.3`, separated by `||`, as `engines` of a package has it. */
export function isInRange(version: string, range: string): boolean {
  return range.split('||').some((each) => {
    const [, operator, least = ''] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(each) ?? [];
    const isHigh = version.localeCompare(least, 'en', { numeric: true }) >= 0;
    return isHigh && (operator === '>=' || Number.parseInt(version) === Number.parseInt(least));
  });
}
