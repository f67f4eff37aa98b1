/** Checks that specs pass without a mutant; a spec that fails anyway would seem to kill every mutant. */
export class UnmutatedSpecs {
  private readonly faults = new Map<string, Promise<string | null>>();

  /** Fault of a spec that fails without a mutant; null if all specs pass. Each spec runs once. */
  async faultOf(
    specs: readonly string[],
    run: (spec: string) => Promise<string | null>,
  ): Promise<string | null> {
    for (const spec of specs) {
      const asked = this.faults.get(spec) ?? run(spec);
      this.faults.set(spec, asked);
      const fault = await asked;
      if (fault !== null) return `fails without any mistake: ${fault}`;
    }
    return null;
  }
}
