/** The part of the package's interface that the tests use; it has no types of its own. */
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
    /** Starts the server; resolves with its address. */
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
