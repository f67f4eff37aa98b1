import { Module } from '@nestjs/common';
import { ManagedResourcesController } from './by-name.controller.js';

/** Lists managed resources; each resource that is applied by name has its route in its own module. */
@Module({ controllers: [ManagedResourcesController] })
export class ManagedResourcesModule {}
