import { Module } from '@nestjs/common';
import { DatasourcesByName } from '../by-name/datasources-by-name.js';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { DatasourceByNameController } from '../by-name/by-name.controller.js';
import { RateLimitsModule } from '../http/rate-limits.module.js';
import { DatasourcesController } from './datasources.controller.js';
import { DatasourcesService } from './datasources.service.js';
import { SearchDatasource } from './search-datasource.js';

@Module({
  imports: [RateLimitsModule],
  controllers: [DatasourcesController, DatasourceByNameController],
  providers: [ApplyByName, DatasourcesByName, DatasourcesService, SearchDatasource],
})
export class DatasourcesModule {}
