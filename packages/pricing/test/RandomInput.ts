/** Inputs for a product: what its fields allow, and what they do not. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { type Field, fieldsOfRole, isShown } from "@quittance/domain/products/ProductFields"
import { make, type QuoteComponent } from "@quittance/domain/values/Amount"
import type { PriceInput } from "../src/PriceInput.ts"
import type { Draw } from "@quittance/testing/Draw"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

const firms = ["346789ABCDEFGHJKLMNPQ", "QPNMLKJHGFEDCBA987643"].map(
  // Written in the form that the schema checks.
  (suffix) => `brokerage_firm_test_${suffix}` as BrokerageFirmId
)

/** Values that a stranger may send instead of what a field asks for. */
const nonsense: ReadonlyArray<CustomFieldValue> = [
  "",
  "nonsense",
  "2026-02-31",
  "9999-12-31",
  -1,
  0.5,
  -0,
  Number.MAX_SAFE_INTEGER,
  1e300,
  true,
  false
]

const valid = (draw: Draw, field: Field): CustomFieldValue => {
  switch (field.type) {
    case "BOOLEAN":
      return draw.chance(0.5)
    case "ENUM":
      return draw.pick(field.values ?? []).id
    case "DATE":
      return draw.chance(0.1)
        ? draw.pick(["2000-02-29", "1999-01-31"])
        : draw.day(yearOf(field.min, 1930) + 1, yearOf(field.max, 2019))
    case "INTEGER":
    case "MONEY":
      return draw.int(Number(field.min ?? 0), Number(field.max ?? 1_000_000))
    case "NUMBER":
      return draw.int(Number(field.min ?? 0) * 10, Number(field.max ?? 1000) * 10) / 10
    case "STRING":
      return field.pattern === undefined && draw.chance(0.5)
        ? draw.pick(Number(field.min ?? 0) > 0 ? ["A", "é"] : ["", "A", "B", "é", "💥"])
        : field.example
  }
}

const yearOf = (bound: string | number | undefined, otherwise: number) =>
  bound === undefined ? otherwise : Number(String(bound).slice(0, 4))

const values = (draw: Draw, fields: ReadonlyArray<Field>, faulty: number) => {
  const result: Record<string, CustomFieldValue> = {}
  for (const field of fields) {
    const isNeeded = field.requiredFor === "QUOTE" && field.showWhen === undefined
    if (draw.chance(isNeeded ? faulty / 2 : 0.5)) continue
    result[field.key] = draw.chance(faulty) ? draw.pick(nonsense) : valid(draw, field)
  }
  // What is shown has to be said.
  for (const field of fields) {
    if (field.requiredFor !== "QUOTE" || field.showWhen === undefined) continue
    if (isShown(field, result) && !draw.chance(faulty)) result[field.key] ??= valid(draw, field)
  }
  if (draw.chance(faulty)) result[draw.pick(["unknown", "constructor", "hasOwnProperty"])] = 1
  return result
}

/** A component that the caller has priced: it adds up. */
const additional = (draw: Draw): QuoteComponent => {
  const type = draw.pick(["PREMIUM", "PERIL", "SPECIAL"] as const)
  const chargeType = draw.pick(["ONE_TIME", "SPOT", "RECURRING"] as const)
  const net = draw.int(-1_000, 50_000)
  const fees = draw.some([{ id: "HANDLING", chargeType, amount: draw.int(0, 500) }])
  const taxes = draw.some([{ id: "LEVY", chargeType, amount: draw.int(-500, 500) }])
  return { id: "ADDED", type, chargeType, premium: make(net, fees, taxes) }
}

/** `faulty` is how likely each part is wrong; 0 makes inputs that the fields allow. */
export const randomInput = (draw: Draw, product: Product, faulty = 0): PriceInput => {
  const { assets, customerRoles, fields } = product
  const held = customerRoles.filter((role) => role === "POLICYHOLDER" || draw.chance(0.3))
  const roles = draw.chance(0.2) ? [...held, ...held.slice(0, 2)] : held
  const count = draw.chance(faulty) ? draw.int(0, 3) : draw.int(assets.min, Math.min(assets.max, 4))
  return {
    // Drawn as a day that exists.
    startDate: draw.day(draw.chance(faulty) ? 2015 : 2020, 2035) as LocalDate,
    customFields: values(draw, fields.policy, faulty),
    customers: (draw.chance(faulty) ? [...roles, "STRANGER"] : roles).map((role) => ({
      role,
      customFields: values(draw, fieldsOfRole(fields.customer, role), faulty)
    })),
    assets: Array.from({ length: count }, (_, index) => ({
      ...(draw.chance(0.5) ? { id: `asset-${index}` } : {}),
      customFields: values(draw, fields.asset, faulty)
    })),
    tierId: draw.chance(faulty) ? "NO_SUCH_TIER" : draw.pick(product.tiers).id,
    perils: draw.some(product.perils).map(({ id, optional, options }) => ({
      id: draw.chance(faulty) ? "NO_SUCH_PERIL" : id,
      ...(optional || draw.chance(faulty) ? { included: draw.chance(0.5) } : {}),
      options: Object.fromEntries(
        draw
          .some(options)
          .map((option) => [
            option.id,
            draw.chance(faulty) ? "NO_SUCH_VALUE" : draw.pick(option.values).id
          ])
      )
    })),
    ...(draw.chance(0.1) ? { additionalQuoteComponents: additional(draw) } : {}),
    brokerageFees: draw.some(firms).map((brokerageFirmId) => ({
      brokerageFirmId: draw.chance(faulty) ? firms[0]! : brokerageFirmId,
      fee: draw.chance(faulty) ? draw.pick([-1, 101, NaN]) : draw.int(0, 1_000_000) / 10_000
    }))
  }
}
