/** What a domain is given: `manager` reaches the database of the process. */
export interface DomainDependencies<Manager> {
  readonly manager: Manager;
}
