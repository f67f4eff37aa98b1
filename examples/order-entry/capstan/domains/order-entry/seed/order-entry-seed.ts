import { z } from 'zod';
import { STOCK_UOMS } from '../order-draft/uom.ts';
import { MEAT_AND_SEAFOOD } from './catalogue/meat-and-seafood.ts';
import { PANTRY } from './catalogue/pantry.ts';
import { PRODUCE } from './catalogue/produce.ts';
import { SPECIALTIES_AND_SUPPLIES } from './catalogue/specialties-and-supplies.ts';
import { CUSTOMERS } from './customers.ts';
import { parseSeedTable } from './parse-seed-table.ts';

const cell = z.string().min(1);

const itemRowSchema = z
  .tuple([z.string().regex(/^[A-Z]{3}-\d{4}$/), cell, cell, cell, z.enum(STOCK_UOMS), cell])
  .transform(([itemNum, name, nameJa, packSize, uom, aliases]) => ({
    itemNum,
    name,
    nameJa,
    packSize,
    uom,
    aliases: aliases.split(';').map((alias) => alias.trim()),
  }));

const customerRowSchema = z
  .tuple([z.string().regex(/^\d{4}$/), cell, cell, z.email()])
  .transform(([accountNumber, name, nameJa, email]) => ({
    accountNumber: Number(accountNumber),
    name,
    nameJa,
    email,
  }));

export type ItemSeed = z.infer<typeof itemRowSchema>;
export type CustomerSeed = z.infer<typeof customerRowSchema>;

/** The catalogue of the example wholesaler: food, drinks and supplies for restaurants. */
export const catalogueSeed: readonly ItemSeed[] = [
  PRODUCE,
  MEAT_AND_SEAFOOD,
  PANTRY,
  SPECIALTIES_AND_SUPPLIES,
].flatMap((table) => parseSeedTable(table, itemRowSchema));

/** The customers of the example wholesaler. */
export const customerSeed: readonly CustomerSeed[] = parseSeedTable(CUSTOMERS, customerRowSchema);
