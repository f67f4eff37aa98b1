import type { FactoryProvider } from '@nestjs/common';
import { orderEntryTools } from '#libs/order-entry';
import { BuiltinTools } from '#libs/tool-sources';
import { ToolCatalogue } from '#libs/tooling';
import { DataSource } from 'typeorm';

/** The tools that workers run; here only their names are looked at. */
export const toolCatalogueProvider: FactoryProvider<ToolCatalogue> = {
  provide: ToolCatalogue,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) => new BuiltinTools(orderEntryTools(dataSource.manager)).catalogue,
};
