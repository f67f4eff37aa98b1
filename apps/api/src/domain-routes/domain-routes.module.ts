import { Module } from '@nestjs/common';
import { domains } from '../domains.js';
import { domainControllers } from './domain-controllers.js';
import { RouteFacilities } from './route-facilities.js';

/** Routes and lists of the domains. */
@Module({ controllers: domainControllers(domains), providers: [RouteFacilities] })
export class DomainRoutesModule {}
