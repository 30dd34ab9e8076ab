/** Whether a statement is still about the policy that is sold: which of its data have changed since. */
import type { PolicyState } from "../policies/PolicyState.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"

/** The data that a statement is made for, by the path of each. */
export const statedData = ({
  assets,
  customFields,
  customers,
  selection
}: PolicyState): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  const add = (at: string, values: Readonly<Record<string, unknown>>) => {
    for (const [key, value] of Object.entries(values)) found.set(`${at}/customFields/${key}`, value)
  }
  add("", customFields)
  for (const [id, customer] of Object.entries(customers)) {
    found.set(`/customers/${id}/role`, customer.role)
    add(`/customers/${id}`, customer.customFields)
  }
  for (const [id, asset] of Object.entries(assets)) {
    found.set(`/assets/${id}/type`, asset.type)
    add(`/assets/${id}`, asset.customFields)
  }
  if (selection !== undefined) {
    found.set("/tierId", selection.tierId)
    for (const { id, ...choice } of selection.perils) found.set(`/perils/${id}`, choice)
  }
  return found
}

/** The paths whose values differ between two states, in their order. */
export const changedData = (before: PolicyState, after: PolicyState): ReadonlyArray<string> => {
  const [was, is] = [statedData(before), statedData(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => textOf(was.get(path)) !== textOf(is.get(path)))
    .toSorted()
}

const textOf = (value: unknown): string => (value === undefined ? "" : canonicalJson(value))
