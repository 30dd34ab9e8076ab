/** Finds values of the document model by the paths that templates have. */

/** A value, and where it lies in the model as a JSON pointer; `undefined`: the model has none there. */
export interface Found {
  readonly value: unknown
  readonly pointer: string
}

/** What names mean in a text: the members of the model, and those that `each` has given. */
export interface Scope {
  readonly model: unknown
  readonly names: ReadonlyMap<string, Found>
}

/** In a list of records a step names one by its `key` or `id`. */
export const find = ({ model, names }: Scope, path: string): Found | undefined => {
  const [first, ...steps] = path.split(".")
  const named = names.get(first!)
  return named === undefined
    ? walk({ value: model, pointer: "" }, [first!, ...steps])
    : walk(named, steps)
}

const walk = (from: Found, steps: ReadonlyArray<string>): Found | undefined => {
  let at: Found | undefined = from
  for (const step of steps) {
    if (at === undefined) return undefined
    at = stepInto(at, step)
  }
  return at
}

const stepInto = ({ pointer, value }: Found, step: string): Found | undefined => {
  if (Array.isArray(value)) {
    const index = value.findIndex((entry) => entry?.key === step || entry?.id === step)
    return index < 0 ? undefined : { value: value[index], pointer: `${pointer}/${index}` }
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined
  // Its own members are looked up in it by their names.
  const member = (value as Readonly<Record<string, unknown>>)[step]
  return member === undefined ? undefined : { value: member, pointer: `${pointer}/${step}` }
}

/** The scopes of a list's records, one after the other; none where the model has no such list. */
export const scopesOf = (
  scope: Scope,
  { as, of }: { readonly as: string; readonly of: string }
): ReadonlyArray<Scope> => {
  const list = find(scope, of)
  if (list === undefined || !Array.isArray(list.value)) return []
  return list.value.map((value: unknown, index) => ({
    model: scope.model,
    names: new Map(scope.names).set(as, { value, pointer: `${list.pointer}/${index}` })
  }))
}
