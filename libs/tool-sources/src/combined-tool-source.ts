import { ToolCatalogue, ToolSource, type ToolLoad } from '#libs/tooling';

/** Combines tool sources, in order. A duplicate tool name is an error of the agent. */
export class CombinedToolSource extends ToolSource {
  constructor(private readonly sources: readonly ToolSource[]) {
    super();
  }

  override async load(context: ToolLoad): Promise<ToolCatalogue> {
    return ToolCatalogue.merge(await Promise.all(this.sources.map((source) => source.load(context))));
  }
}
