import { Module, type DynamicModule } from '@nestjs/common';
import { SecretBox } from './secret-box.js';

/** Provides the process's one `SecretBox` to every module. */
@Module({})
export class SecretsModule {
  /** @param encryptionKey null if `ENCRYPTION_KEY` is not set */
  static forRoot(encryptionKey: string | null): DynamicModule {
    return {
      module: SecretsModule,
      global: true,
      providers: [{ provide: SecretBox, useValue: SecretBox.of(encryptionKey) }],
      exports: [SecretBox],
    };
  }
}
