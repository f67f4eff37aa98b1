import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { Agent } from 'undici';
import type { S3Dependencies } from '#libs/blob-store';
import type { S3Config } from '#libs/config';

/** The only account of the server, which validates every signature. */
export const S3_TEST_CONFIG: Omit<S3Config, 'endpoint'> = {
  kind: 's3',
  region: 'eu-central-1',
  bucket: 'capstan',
  prefix: '',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
  isPathStyle: true,
};

/** The server answers to this name and to names below it, as a bucket may be part of the host. */
const HOST = 's3.capstan.test';

/** A real server of the S3 API on this machine, with one empty bucket. */
export class S3Server {
  private constructor(
    private readonly server: S3rver,
    private readonly folder: string,
    /** The URL by name, which resolves only with {@link dependencies}. */
    readonly endpoint: string,
    /** The URL by address. */
    readonly url: string,
  ) {}

  /**
   * @param checksSignatures false where the bucket is part of the host: the server then counts it into the path as well,
   * which no signature of S3 does; `s3-requests.spec.ts` covers those
   */
  static async start({ checksSignatures = true } = {}): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 's3-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      serviceEndpoint: 'capstan.test',
      allowMismatchedSignatures: !checksSignatures,
      configureBuckets: [{ name: S3_TEST_CONFIG.bucket }],
    });
    const { port } = await server.run();
    return new S3Server(server, folder, `http://${HOST}:${port}`, `http://127.0.0.1:${port}`);
  }

  /** Resolves every host name to this machine, and retries without a delay. */
  get dependencies(): S3Dependencies {
    const lookup: LookupFunction = (_name, _options, found) => {
      found(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    return { ...QUICK, dispatcher: new Agent({ connect: { lookup } }) };
  }

  /** The names of stored objects, and of the files beside them. */
  async files(): Promise<readonly string[]> {
    return (await readdir(this.folder, { recursive: true })).filter((name) => name.includes('object'));
  }

  async stop(): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export const QUICK: S3Dependencies = {
  now: () => new Date(),
  random: () => 0.5,
  pause: () => Promise.resolve(),
};
