import { Module } from '@nestjs/common';
import { RunMaxima } from './run-maxima.js';
import { StrategiesController } from './strategies.controller.js';

/** Strategies of agents, and the operator's limits for them. */
@Module({ controllers: [StrategiesController], providers: [RunMaxima], exports: [RunMaxima] })
export class StrategiesModule {}
