/** What every view is given: the values of the `:name` parts of its route. */
export interface ViewProps {
  readonly params: Readonly<Record<string, string>>;
}
