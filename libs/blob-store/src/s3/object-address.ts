import type { S3Config } from '#libs/config';

type Place = Pick<S3Config, 'endpoint' | 'bucket' | 'prefix' | 'isPathStyle'>;

/** The URL of the bucket. Pure. */
export function bucketAddress({ endpoint, bucket, isPathStyle }: Place): URL {
  const url = new URL(endpoint);
  if (isPathStyle) url.pathname = joined(url.pathname, bucket, '');
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}

/** The URL of an object. Pure; `key` is validated by the caller. */
export function objectAddress(place: Place, key: string): URL {
  const url = bucketAddress(place);
  url.pathname = joined(url.pathname, place.prefix, key);
  return url;
}

/** Joins non-empty parts with one slash. */
function joined(...parts: readonly string[]): string {
  const path = parts.map((part) => part.replace(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return `/${path.join('/')}`;
}
