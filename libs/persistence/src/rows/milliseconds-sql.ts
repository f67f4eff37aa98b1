/** SQL of an interval in milliseconds. */
export function millisecondsSql(interval: string): string {
  return `(extract(epoch FROM ${interval}) * 1000)::float8`;
}
