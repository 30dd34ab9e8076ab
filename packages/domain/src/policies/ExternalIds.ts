/** The names that other systems have for a policy: each belongs to one policy of a tenant. */
import type { Foldable } from "./Change.ts"
import { effectsOf, type Lineage, visible, withoutStops } from "./ChangeView.ts"

/**
 * The external ids that a lineage shows at whatever time, past and to come, also behind a stop. A policy
 * owns those of its default branch: so no two policies have one at any instant. What was reverted never
 * shows, and is given back.
 */
export const externalIdsOf = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage
): ReadonlySet<string> => {
  const seen = visible(withoutStops(changes, lineage), lineage)
  const shown = effectsOf(seen, lineage).flatMap(({ patch }) => {
    const last = patch.findLast(({ path }) => path === "/externalId")
    return last !== undefined && "value" in last ? [String(last.value)] : []
  })
  return new Set(shown)
}
