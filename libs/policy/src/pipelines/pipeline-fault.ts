/** A fault of a pipeline, with its path in `config`. */
export interface PipelineFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
