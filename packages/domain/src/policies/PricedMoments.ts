/**
 * When what a policy is priced by moves, and which part of it: the policy itself, its customers together,
 * and each asset alone, so that a change of one vehicle is not a change of a fleet.
 */
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Foldable, JsonObject, PatchEntry } from "./Change.ts"
import { effectsOf, type Lineage, visible } from "./ChangeView.ts"
import { Folding } from "./Folding.ts"
import type { Instant } from "../values/Instant.ts"
import type { AssetOnPolicy, PolicyState } from "./PolicyState.ts"
import { pricedOfAsset, pricedOfCustomers, pricedOfPolicy } from "./PricedState.ts"
import type { Product } from "../products/Product.ts"
import type { QuoteId } from "../values/Ids.ts"

/** The version of the product that a state is priced with. */
export type ProductOf = (state: Pick<PolicyState, "productVersion">) => Product

/** An instant at which something takes effect. */
export interface PricedMoment {
  readonly from: Instant
  readonly product: Product
  readonly quoteId: QuoteId | undefined
  /** The parts that are other ones than before, by their paths, as canonical texts; or gone. */
  readonly moved: ReadonlyMap<string, string | undefined>
}

/** Each instant at which something takes effect in a lineage, with what that does to the price. */
export interface PricedMoments {
  /** The start that the policy has in the end; absent, nothing of it has a price. */
  readonly startedAt: Instant | undefined
  readonly moments: ReadonlyArray<PricedMoment>
}

export const pricedMoments = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  productOf: ProductOf
): PricedMoments => {
  const folding = new Folding()
  const parts = new Map<string, string>()
  let policy = policyOf(folding)
  let product: Product | undefined
  const moments = effectsOf(visible(changes, lineage), lineage).map(({ from, patch }) => {
    folding.patch(patch)
    policy = policyOf(folding)
    const before = product
    product = productOf(policy)
    const touched = product === before ? touchedBy(patch, folding, parts) : allOf(folding, parts)
    const moved = new Map<string, string | undefined>()
    for (const path of touched) {
      const text = textOf(product, folding, path)
      if (text === parts.get(path)) continue
      moved.set(path, text)
      if (text === undefined) parts.delete(path)
      else parts.set(path, text)
    }
    return { from, product, quoteId: policy.quoteId, moved }
  })
  return { startedAt: policy.startedAt, moments }
}

// What commands recorded has this shape by construction.
const policyOf = (folding: Folding): Omit<PolicyState, "assets" | "customers"> =>
  folding.policy() as unknown as PolicyState

/** The parts that a patch lies in. */
const touchedBy = (
  patch: ReadonlyArray<PatchEntry>,
  folding: Folding,
  parts: ReadonlyMap<string, string>
): ReadonlySet<string> => {
  const touched = new Set<string>()
  for (const { path } of patch) {
    const [, first, id] = path.split("/")
    if (first === "customers") touched.add("/customers")
    else if (first !== "assets") touched.add("")
    else if (id !== undefined) touched.add(`/assets/${id}`)
    else for (const part of allOf(folding, parts)) touched.add(part)
  }
  return touched
}

const allOf = (folding: Folding, parts: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([
    "",
    "/customers",
    ...parts.keys(),
    ...Object.keys(folding.at("/assets") ?? {}).map((id) => `/assets/${id}`)
  ])

const textOf = (product: Product, folding: Folding, path: string): string | undefined => {
  if (path === "") {
    const policy = policyOf(folding)
    return canonicalJson([...pricedOfPolicy(product, policy), policy.terms ?? null])
  }
  // What commands recorded has these shapes by construction.
  const value = folding.at(path) as JsonObject | undefined
  if (path === "/customers") {
    return canonicalJson(pricedOfCustomers(product, (value ?? {}) as PolicyState["customers"]))
  }
  const asset = value as unknown as AssetOnPolicy | undefined
  if (asset === undefined || asset.stoppedAt !== undefined) return undefined
  return canonicalJson([asset.seq, pricedOfAsset(product, [path, asset])])
}
