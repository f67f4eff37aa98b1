/** The part of its interface that the tests use; the package has no types. */
declare module '@20minutes/s3rver' {
  export interface S3rverOptions {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly directory: string;
    /** Hosts are `s3.<this>` and `<bucket>.s3.<this>`. */
    readonly serviceEndpoint: string;
    readonly allowMismatchedSignatures: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  export default class S3rver {
    constructor(options: S3rverOptions);
    /** Answers where it listens. */
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
