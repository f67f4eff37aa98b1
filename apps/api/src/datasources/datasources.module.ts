import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../http/rate-limits.module.js';
import { DatasourcesController } from './datasources.controller.js';
import { DatasourcesService } from './datasources.service.js';
import { SearchDatasource } from './search-datasource.js';

@Module({
  imports: [RateLimitsModule],
  controllers: [DatasourcesController],
  providers: [DatasourcesService, SearchDatasource],
})
export class DatasourcesModule {}
