import type { FactoryProvider } from '@nestjs/common';
import { BuiltinTools } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import { DataSource } from 'typeorm';
import { domains } from '../domains.js';

/** The tools that workers run; here only their names are looked at. */
export const toolCatalogueProvider: FactoryProvider<ToolCatalogue> = {
  provide: ToolCatalogue,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new BuiltinTools(domains.tools({ manager: dataSource.manager })).catalogue,
};
