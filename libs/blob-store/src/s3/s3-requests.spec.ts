import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import type { S3Config } from '#libs/config';
import { bucketAddress, objectAddress } from './object-address.js';
import { isPassing, readErrorCode, S3Error } from './s3-failure.js';
import { S3Requests } from './s3-requests.js';

const PLACE: S3Config = {
  kind: 's3',
  endpoint: 'https://s3.amazonaws.com',
  region: 'us-east-1',
  bucket: 'examplebucket',
  prefix: '',
  // The account of the example in the documentation of Signature Version 4 for S3.
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  isPathStyle: false,
};

describe('the address of an object', () => {
  it.each([
    [{}, 'https://examplebucket.s3.amazonaws.com/t/1'],
    [{ prefix: 'a/b' }, 'https://examplebucket.s3.amazonaws.com/a/b/t/1'],
    [{ isPathStyle: true }, 'https://s3.amazonaws.com/examplebucket/t/1'],
    [
      { isPathStyle: true, prefix: 'a', endpoint: 'http://minio:9000/s3/' },
      'http://minio:9000/s3/examplebucket/a/t/1',
    ],
  ])('names the bucket as the server wants it: %j', (differently, expected) => {
    expect(objectAddress({ ...PLACE, ...differently }, 't/1').href).toBe(expected);
  });

  it('is below that of the bucket', () => {
    expect(bucketAddress(PLACE).href).toBe('https://examplebucket.s3.amazonaws.com/');
    expect(bucketAddress({ ...PLACE, isPathStyle: true }).href).toBe(
      'https://s3.amazonaws.com/examplebucket',
    );
  });
});

describe('a request to S3', () => {
  it('is signed as the documentation of S3 has it (GET Object)', async () => {
    const asked: Dispatcher.RequestOptions[] = [];
    const dispatcher = {
      request: (options: Dispatcher.RequestOptions) => {
        asked.push(options);
        return Promise.resolve({ statusCode: 206 });
      },
    } as unknown as Dispatcher;
    const requests = new S3Requests(PLACE, {
      now: () => new Date('2013-05-24T00:00:00.123Z'),
      random: () => 0,
      pause: () => Promise.resolve(),
      dispatcher,
    });
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
    await requests.send({ method: 'GET', url, headers: { range: 'bytes=0-9' }, expected: [206] });
    const headers = asked[0]?.headers as Record<string, string>;
    expect(headers['authorization']).toContain(
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  const coded = (code: string) => Object.assign(new Error('x'), { code });
  it.each<[unknown, boolean]>([
    [new S3Error('PUT', 500, 'InternalError'), true],
    [new S3Error('PUT', 503, 'SlowDown'), true],
    [new S3Error('GET', 429, null), true],
    [new S3Error('PUT', 400, 'XAmzContentSHA256Mismatch'), true],
    [new S3Error('PUT', 400, 'InvalidRequest'), false],
    [new S3Error('PUT', 403, 'AccessDenied'), false],
    [new S3Error('GET', 404, 'NoSuchBucket'), false],
    [new S3Error('GET', 412, 'PreconditionFailed'), false],
    [coded('ECONNRESET'), true],
    [coded('EAI_AGAIN'), true],
    [coded('UND_ERR_SOCKET'), true],
    [coded('UND_ERR_HEADERS_TIMEOUT'), true],
    [coded('UND_ERR_INVALID_ARG'), false],
    [coded('ENOSPC'), false],
    [new Error('a fault of ours'), false],
    ['x', false],
  ])('is repeated after %s: %j', (error, expected) => {
    expect(isPassing(error)).toBe(expected);
  });

  it.each([
    ['<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>x</Message></Error>', 'NoSuchKey'],
    ['<html>Bad gateway</html>', null],
    ['', null],
    ['<Code><script></Code>', null],
  ])('says why it was refused by a code: %s', (xml, code) => {
    expect(readErrorCode(xml)).toBe(code);
  });
});
