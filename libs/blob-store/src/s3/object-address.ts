import type { S3Config } from '#libs/config';

type Place = Pick<S3Config, 'endpoint' | 'bucket' | 'prefix' | 'isPathStyle'>;

/** Where the bucket itself is asked for. Pure. */
export function bucketAddress({ endpoint, bucket, isPathStyle }: Place): URL {
  const url = new URL(endpoint);
  if (isPathStyle) url.pathname = joined(url.pathname, bucket, '');
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}

/** Where an object is. Pure; what `key` may hold is checked before. */
export function objectAddress(place: Place, key: string): URL {
  const url = bucketAddress(place);
  url.pathname = joined(url.pathname, place.prefix, key);
  return url;
}

/** One slash between what is not empty. */
function joined(...parts: readonly string[]): string {
  const path = parts.map((part) => part.replace(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return `/${path.join('/')}`;
}
