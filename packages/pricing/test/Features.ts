/** What of the language of products a document uses, so that tests can tell what they have looked at. */
import type { Product } from "@quittance/domain/products/Product"

export const featuresOf = (product: Product): ReadonlySet<string> => {
  const { assets, brokerageFee, derogations = [], fees, perils, rating, specials, taxes } = product
  const found = new Set<string>()
  for (const field of Object.values(product.fields).flat()) {
    found.add(`field ${field.type}`)
    if (field.showWhen !== undefined) found.add("field showWhen")
    if (field.roles !== undefined) found.add("field roles")
    if (field.requiredFor !== "QUOTE") found.add("field that a quote does not need")
    if (!field.priced) found.add("field without a price")
  }
  for (const input of rating.inputs) {
    found.add(`input of ${input.of} as ${input.as}`)
    if (input.default !== undefined) found.add("input default")
    if (input.min !== undefined) found.add("input bounds")
    if ((input.roles?.length ?? 0) > 1) found.add("input of several roles")
    if (input.as !== "EXPRESSION") continue
    found.add(`expression ${input.type}${input.values === undefined ? "" : " of values"}`)
    for (const [name, pattern] of Object.entries(parts)) {
      if (pattern.test(input.expression)) found.add(`expression with ${name}`)
    }
  }
  for (const factor of rating.factors) {
    found.add(`factor ${factor.kind}`)
    if (factor.kind === "VALUE" && factor.otherwise !== undefined) found.add("factor otherwise")
    if (factor.kind === "LINEAR") found.add(factor.perUnit < 0 ? "factor falling" : "factor rising")
  }
  for (const { chargeType = "none", everyTerm, optional, options, rating, refundable } of perils) {
    found.add(`base ${rating?.base.kind} per ${rating?.per}`)
    found.add(`peril charged ${chargeType}`)
    if (everyTerm === true) found.add("peril every term")
    if (optional) found.add("peril optional")
    if (refundable === false) found.add("peril not refundable")
    if (rating?.min !== undefined) found.add("peril min")
    if (rating?.max !== undefined) found.add("peril max")
    for (const { kind, values } of options) {
      found.add(`option ${kind}`)
      for (const { add = 0, multiply } of values) {
        if (multiply !== undefined) found.add("option that multiplies")
        if (add !== 0) found.add(add > 0 ? "option that adds" : "option that takes off")
      }
    }
  }
  for (const { charges = [], chargeType = "none", kind, until, when } of specials) {
    found.add(`special ${kind} by ${charges[0]?.rate === undefined ? "amount" : "rate"}`)
    found.add(`special charged ${chargeType}`)
    if (when !== undefined) found.add("special when")
    if (until !== undefined) found.add("special until")
  }
  for (const levy of [...fees.map((fee) => ({ ...fee, level: "FEE" })), ...taxes]) {
    const { charges = [], classes, level, where } = levy
    found.add(`${level} charged ${levy.chargeType ?? "none"}`)
    for (const { rate } of charges)
      found.add(`${level} by ${rate === undefined ? "amount" : "rate"}`)
    if (charges.length > 1) found.add(`${level} that changes on a day`)
    if (where !== undefined) found.add(`${level} where`)
    if (level !== "COMPONENT" && classes !== undefined) found.add(`${level} on classes`)
    if ("everyTerm" in levy && levy.everyTerm === true) found.add(`${level} every term`)
    if (levy.refundable === false) found.add(`${level} not refundable`)
    if ("taxClass" in levy && levy.taxClass !== undefined) found.add("FEE taxed")
  }
  if (brokerageFee.taxClass !== undefined) found.add("brokerage fee taxed")
  for (const [point, { to = 1, ...terms }] of Object.entries(product.rounding ?? {})) {
    if (to > 1) found.add(`rounding of ${point}`)
    if ("at" in terms && terms.at !== undefined) found.add(`rounding at ${terms.at}`)
  }
  if (derogations.length > 0) found.add("derogation")
  if (product.tiers.some(({ defaults = [] }) => defaults.length > 0)) found.add("tier defaults")
  if (assets.max > 1) found.add("several assets")
  return found
}

/** Parts of the language of expressions. */
const parts = {
  assetCount: /\bassetCount\b/u,
  "another expression": /\bmade\d/u,
  "a choice": /\?/u,
  "a comparison": /[<>=!]=|[<>]/u,
  "a division": /[/%]/u,
  "an integer of a decimal": /\bint\(/u,
  "a list": /\bin \[/u,
  "a negation": /!/u,
  logic: /&&|\|\|/u,
  size: /\bsize\(/u,
  text: /\bstring\(/u,
  "text in text": /startsWith|endsWith|contains/u
}
