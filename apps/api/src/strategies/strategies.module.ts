import { Module } from '@nestjs/common';
import { RunMaxima } from './run-maxima.js';
import { StrategiesController } from './strategies.controller.js';

/** Strategies by which agents work, and the limits of the operator for them. */
@Module({ controllers: [StrategiesController], providers: [RunMaxima], exports: [RunMaxima] })
export class StrategiesModule {}
