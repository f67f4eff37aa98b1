/** Without a mistake nothing may fail: otherwise every mistake would seem to be noticed. */
export class UnmutatedSpecs {
  private readonly faults = new Map<string, Promise<string | null>>();

  /** Why a mutant of these specs could prove nothing; null where all of them pass. Each is run once. */
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
