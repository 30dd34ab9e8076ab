/** The first part of the demo: a visitor buys an insurance for a car. */
import { fieldsOfRole, type Field } from "@quittance/domain/products/ProductFields"
import type { Instant } from "@quittance/domain/values/Instant"
import { addMonths } from "@quittance/domain/values/LocalDate"
import type { ProductConfig } from "@quittance/domain/products/ProductConfig"
import type { QuoteResult } from "@quittance/domain/products/Quote"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Effect } from "effect"
import type { DemoClient } from "./DemoClient.ts"
import * as Figures from "./Figures.ts"
import * as Money from "../terminal/Money.ts"
import { asProblems } from "../Problem.ts"
import { Narrator } from "./Narrator.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

export const productId = "motor-fr"

/** What was sold. */
export interface Sale {
  readonly product: ProductConfig
  readonly policyId: PolicyId
  readonly startsAt: Instant
  readonly premium: Figures.Figures
}

/** What a form of the product would send if everything in it were left as the example has it. */
const examples = (fields: ReadonlyArray<Field>) =>
  fields.map(({ example, key }) => ({ key, value: example }))

const textOf = (fields: ReadonlyArray<Field>, keys: ReadonlyArray<string>): string =>
  keys.map((key) => String(fields.find((field) => field.key === key)?.example ?? "")).join(" ")

/** Asks what the product wants to know and sells. */
export const meet = Effect.fnUntraced(function* (open: DemoClient, now: Instant) {
  const narrator = yield* Narrator
  yield* narrator.chapter("A visitor asks what is sold")
  yield* narrator.tell(
    "GET /config/motor-fr is public: the fields of the forms, the tiers, the perils and the consents. " +
      "No rate, rule or commission is in it."
  )
  const product = yield* open.configuration.product({ params: { productId } })
  const { asset, customer, policy } = product.fields
  yield* narrator.fact("product", `${product.name} (${product.productId} ${product.version})`)
  yield* narrator.fact("tiers", product.tiers.map(({ name }) => name).join(", "))
  yield* narrator.fact(
    "fields",
    `${policy.length} of the policy, ${customer.length} of customers, ${asset.length} of the vehicle`
  )
  const firstOfNextMonth = addMonths(localDate(now, product.timeZone), 1, 1)
  const startsAt = startOfDay(firstOfNextMonth, product.timeZone)
  return { product, startsAt }
}, asProblems)

/** Opens the policy and fills in who and what is insured. */
export const apply = Effect.fnUntraced(function* (
  visitor: DemoClient,
  product: ProductConfig,
  startsAt: Instant
) {
  const narrator = yield* Narrator
  yield* narrator.chapter("They open a policy, with themselves and their car on it")
  yield* narrator.tell(
    "Every field is filled with the example that the configuration gives for it. The policy is to " +
      "start on the first of next month and to be invoiced month by month, in advance."
  )
  const policy = yield* visitor.policies.create({
    query: {},
    headers: {},
    payload: {
      productId,
      startedAt: startsAt,
      invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
      customFields: examples(product.fields.policy)
    }
  })
  const params = { policyId: policy.id }
  const holder = fieldsOfRole(product.fields.customer, "POLICYHOLDER")
  const name = textOf(holder, ["firstName", "lastName"])
  const { customerId } = yield* visitor.customers.addToPolicy({
    params,
    query: {},
    headers: {},
    payload: {
      role: "POLICYHOLDER",
      type: "INDIVIDUAL",
      name,
      email: "camille.martin@example.com",
      customFields: examples(holder)
    }
  })
  const customer = yield* visitor.customers.confirm({
    params: { customerId },
    query: {},
    headers: {},
    payload: {}
  })
  const vehicle = textOf(product.fields.asset, ["make", "model", "registration"])
  yield* visitor.assets.addToPolicy({
    params,
    query: {},
    headers: {},
    payload: { name: vehicle, customFields: examples(product.fields.asset) }
  })
  yield* narrator.fact("policy", `${policy.id}, ${policy.status}`)
  yield* narrator.fact("customer", `${name}, ${customer.status}`)
  yield* narrator.fact("vehicle", vehicle)
  yield* narrator.fact(
    "starts",
    `${localDate(startsAt, product.timeZone)}, 00:00 in ${product.timeZone}`
  )
  return { policyId: policy.id, name }
}, asProblems)

/** Shows all tiers side by side and takes the one in the middle. */
export const compare = Effect.fnUntraced(function* (
  visitor: DemoClient,
  product: ProductConfig,
  policyId: PolicyId
) {
  const narrator = yield* Narrator
  const money = (amount: number) => Money.format(amount, product.currency)
  yield* narrator.chapter("They compare what it costs")
  const { tiers } = yield* visitor.policies.availablePricing({ params: { policyId }, query: {} })
  const priced = tiers.flatMap(({ id, name, proratedQuote, quote }) =>
    quote === undefined || proratedQuote === undefined ? [] : [{ id, name, proratedQuote, quote }]
  )
  yield* narrator.table({
    columns: [
      { header: "Tier" },
      ...["Perils", "Net", "Fees", "Taxes", "A year", "A month"].map(
        (header) => ({ header, align: "right" }) as const
      )
    ],
    rows: priced.map(({ name, proratedQuote, quote }) => {
      const { fees, net, taxes, total } = Figures.stated(quote.totalPremium)
      const perils = quote.components.filter(({ type }) => type === "PERIL").length
      const month = proratedQuote.totalPremium.amountWithFeesAndTaxes
      return [name, String(perils), ...[net, fees, taxes, total, month].map(money)]
    })
  })
  yield* narrator.check(
    "every tier of the product has a price",
    product.tiers.map(({ id }) => id),
    priced.map(({ id }) => id)
  )
  for (const { name, quote } of priced) {
    yield* narrator.check(
      `the components of ${name} sum to its premium: net, fees, taxes and total`,
      Figures.ofComponents(quote.components),
      Figures.stated(quote.totalPremium)
    )
  }
  return { id: priced[Math.floor(priced.length / 2)]?.id ?? "" }
}, asProblems)

/** Quotes one tier and says where the price comes from. */
export const quote = Effect.fnUntraced(function* (
  visitor: DemoClient,
  product: ProductConfig,
  policyId: PolicyId,
  tierId: string
) {
  const narrator = yield* Narrator
  yield* narrator.chapter("They have one of them quoted")
  const quoted = yield* visitor.policies.quote({
    params: { policyId },
    query: {},
    headers: {},
    payload: { tierId }
  })
  const premium = Figures.stated(quoted.quote.totalPremium)
  const { id, provider } = quoted.quote
  yield* narrator.fact("quote", `${id} of ${quoted.selectedTier.name}`)
  yield* narrator.fact("priced by", `${provider.id} ${provider.version}`)
  yield* breakdown(quoted, product.currency)
  yield* narrator.check(
    `the ${quoted.quote.components.length} components sum to the premium`,
    premium,
    Figures.ofComponents(quoted.quote.components)
  )
  yield* narrator.check(
    "the steps of the explanation sum to it too",
    premium.total,
    Figures.total(
      quoted.explanation.components.flatMap(({ steps }) => steps.map(({ change }) => change))
    )
  )
  return premium
}, asProblems)

const breakdown = Effect.fnUntraced(function* (quoted: QuoteResult, currency: string) {
  const narrator = yield* Narrator
  const money = (amount: number) => (amount === 0 ? "" : Money.format(amount, currency))
  const labels = new Map(
    quoted.explanation.components.map(({ componentId, label }) => [componentId, label])
  )
  const row = (name: string, figures: Figures.Figures) => [
    name,
    ...[figures.net, figures.fees, figures.taxes, figures.total].map(money)
  ]
  yield* narrator.table({
    columns: [
      { header: "Component" },
      ...["Net", "Fees", "Taxes", "Total"].map((header) => ({ header, align: "right" }) as const)
    ],
    rows: quoted.quote.components.map(({ id, premium }) =>
      row(labels.get(id) ?? id, Figures.stated(premium))
    ),
    total: row("A year", Figures.stated(quoted.quote.totalPremium))
  })
  const [first] = quoted.explanation.components
  yield* narrator.tell(`Why ${first?.label ?? "it"} costs what it costs:`)
  yield* narrator.table({
    columns: [{ header: "Step" }, { header: "Because of" }, { header: "Change", align: "right" }],
    rows: (first?.steps ?? []).map(({ change, inputs, label }) => [
      label,
      inputs.map(({ id, value }) => `${id} ${String(value)}`).join(", "),
      Money.format(change, currency)
    ]),
    total: ["Together", "", Money.format(first?.amountWithFeesAndTaxes ?? 0, currency)]
  })
})

/** Confirms and signs. */
export const sign = Effect.fnUntraced(function* (
  visitor: DemoClient,
  product: ProductConfig,
  policyId: PolicyId
) {
  const narrator = yield* Narrator
  const request = { params: { policyId }, query: {}, headers: {} }
  yield* narrator.chapter("They confirm and sign")
  const confirmed = yield* visitor.policies.confirm({ ...request, payload: {} })
  yield* narrator.fact("confirmed", confirmed.status)
  const consent = product.consents.find(({ requiredFor }) => requiredFor === "SIGN")
  yield* narrator.tell(`“${consent?.text ?? ""}”`)
  const signed = yield* visitor.policies.sign({
    ...request,
    payload: {
      signer: { firstName: "Camille", lastName: "Martin", email: "camille.martin@example.com" },
      consent: { textId: consent?.textId ?? "", accepted: true }
    }
  })
  yield* narrator.fact("signed", `${signed.status} at ${signed.signedAt ?? "no time"}`)
  yield* narrator.fact("evidence", `of the text with the SHA-256 ${consent?.hash ?? ""}`)
  yield* narrator.check("the policy is signed", "POLICY_SIGNED", signed.status)
}, asProblems)
