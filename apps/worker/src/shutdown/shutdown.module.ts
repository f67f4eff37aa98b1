import { Global, Module } from '@nestjs/common';
import { DrainSignal } from './shutdown.js';

@Global()
@Module({ providers: [DrainSignal], exports: [DrainSignal] })
export class ShutdownModule {}
