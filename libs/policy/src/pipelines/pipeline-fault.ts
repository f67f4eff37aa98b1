/** Something that is wrong with a pipeline, at which place in `config`. */
export interface PipelineFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
