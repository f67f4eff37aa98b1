import { ToolCatalogue, ToolSource, type ToolLoad } from '#libs/tooling';

/** Several sources as one: their tools in the order of the sources. Two tools of one name are a fault of the agent. */
export class CombinedToolSource extends ToolSource {
  constructor(private readonly sources: readonly ToolSource[]) {
    super();
  }

  override async load(context: ToolLoad): Promise<ToolCatalogue> {
    return ToolCatalogue.merge(await Promise.all(this.sources.map((source) => source.load(context))));
  }
}
