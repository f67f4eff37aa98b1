import { Module } from '@nestjs/common';
import { SkillsByName } from '../by-name/skills-by-name.js';
import { ApplyByName } from '../by-name/apply-by-name.js';
import { SkillByNameController } from '../by-name/by-name.controller.js';
import { SkillsController } from './skills.controller.js';
import { SkillsService } from './skills.service.js';

@Module({
  controllers: [SkillsController, SkillByNameController],
  providers: [ApplyByName, SkillsByName, SkillsService],
})
export class SkillsModule {}
