/**
 * What is wrong with a product's document: first its shape, then what its parts say of each other.
 * Every fault is told, each at its JSON pointer, with what to do about it. The expressions in it are
 * checked where they are compiled: `@quittance/pricing/Publishable`.
 */
import { Option, Result, Schema, SchemaAST } from "effect"
import { isSubDay } from "../values/Duration.ts"
import {
  documentFaults,
  renewalNoticeFaults,
  requestedDocumentFaults
} from "./documents/DocumentDefinitionFaults.ts"
import { componentsOf, Product, type ProductFault } from "./Product.ts"
import { levyFaults, specialFaults } from "./ProductChargeFaults.ts"
import { duplicates, fieldsFaults } from "./ProductFieldFaults.ts"
import { conditionFaults, inputFaults } from "./ProductInputFaults.ts"
import { paymentFaults } from "./payments/PaymentFaults.ts"
import { claimFaults } from "./claims/ProductClaimFaults.ts"
import { needsFaults } from "./sale/NeedsFaults.ts"
import { saleFaults } from "./sale/SaleFaults.ts"
import { signatureFaults } from "./sale/SignatureFaults.ts"
import { withdrawalFaults } from "./sale/WithdrawalFaults.ts"
import { nameFaults, tariffFaults, tierFaults } from "./ProductRatingFaults.ts"
import { shapeFaults } from "./ProductShapeFaults.ts"
import { unknownName } from "../values/ClosestName.ts"
import { sourceFaults } from "./ProductSourceFaults.ts"
import { whereFaults } from "./ProductWhereFaults.ts"

type Faults = Generator<ProductFault, void>

const decode = Schema.decodeUnknownResult(Product)

/** A document as far as it is sound, and all that is wrong with it. */
export interface Examined {
  /** The members that have their shape; unknown members are left out. */
  readonly parts: Partial<Product>
  /** The members that do not have theirs. */
  readonly broken: ReadonlySet<string>
  readonly faults: ReadonlyArray<ProductFault>
}

/** Looks at the shape of a document, and at what its sound members say against each other. */
export const examine = (definition: unknown): Examined => {
  const decoded = decode(definition, { errors: "all", onExcessProperty: "error" })
  if (Result.isSuccess(decoded)) {
    const product = decoded.success
    return { parts: product, broken: new Set(), faults: faults(product) }
  }
  const shape = [...shapeFaults(decoded.failure.issue, { definition, path: [] })]
  const { broken, parts } = membersOf(definition)
  return { parts, broken, faults: [...shape, ...faults(parts, broken)] }
}

const membersOf = (definition: unknown): Pick<Examined, "broken" | "parts"> => {
  const parts: Record<string, unknown> = {}
  const broken = new Set<string>()
  const given: Readonly<Record<string, unknown>> = Object(definition)
  for (const [member, schema] of Object.entries(Product.fields)) {
    const has = Object.hasOwn(given, member)
    if (!has && SchemaAST.isOptional(schema.ast)) continue
    const decoded = Schema.decodeUnknownOption(schema)(given[member])
    if (has && Option.isSome(decoded)) parts[member] = decoded.value
    else broken.add(member)
  }
  return { parts, broken }
}

/** Looks at members of a product that have their shape; not where another that it needs is broken. */
const check =
  <Member extends keyof Product>(
    needs: ReadonlyArray<Member>,
    find: (parts: Pick<Product, Member>) => Iterable<ProductFault>
  ) =>
  (parts: Partial<Product>, broken: ReadonlySet<string>): Iterable<ProductFault> =>
    // Each of them is there, unless it may be absent.
    needs.some((member) => broken.has(member)) ? [] : find(parts as Pick<Product, Member>)

const priced = ["perils", "specials", "fees", "taxes", "rating"] as const

const checks = [
  check(["assets", "customerRoles"], generalFaults),
  check([...priced, "quoteProvider"], sourceFaults),
  check(["fields", "customerRoles", "trunkFields"], fieldsFaults),
  check([...priced, "brokerageFee"], nameFaults),
  check(["tiers", "defaultTier", "perils"], tierFaults),
  check(["fields", "customerRoles", "rating"], inputFaults),
  check(["fields", "rating", "perils", "assets"], tariffFaults),
  check(["fields", "rating", "specials", "derogations"], conditionFaults),
  check(["specials", "perils", "validFrom"], specialFaults),
  check(["brokerageFee", "perils", "specials", "fees", "taxes", "validFrom"], levyFaults),
  check(["brokerageFee", "perils", "specials", "fees", "taxes", "fields", "rating"], whereFaults),
  check(["perils", "rounding"], roundingFaults),
  check(["stopReasons", "reasons", "dunning"], stopFaults),
  check(["invoicing", "activation"], invoicingFaults),
  check([...priced, "brokerageFee", "customerRoles", "billingAssignmentConfigs"], assignmentFaults),
  check(["currency", "payments"], paymentFaults),
  check(["consents", "complianceGates", "documents", "needs", "withdrawal"], saleFaults),
  check(["needs", "perils", "tiers"], needsFaults),
  check(["documents", "stopReasons", "withdrawal"], withdrawalFaults),
  check(["customerRoles", "signature"], signatureFaults),
  check(["customerRoles", "documents", "dunning", "renewal"], documentFaults),
  check(["customerRoles", "requestedDocuments"], requestedDocumentFaults),
  check(["renewal"], renewalNoticeFaults),
  check(["claims", "perils", "stopReasons"], claimFaults)
]

/** What the parts of a document say against each other; empty when it can be sold. */
export const faults = (
  parts: Partial<Product>,
  broken: ReadonlySet<string> = new Set()
): ReadonlyArray<ProductFault> => checks.flatMap((check) => [...check(parts, broken)])

function* generalFaults({
  assets,
  customerRoles
}: Pick<Product, "assets" | "customerRoles">): Faults {
  if (assets.min > assets.max) {
    yield { pointer: "/assets/min", message: "Choose it at most as large as `max`." }
  }
  yield* duplicates("/customerRoles", "", customerRoles)
  if (!customerRoles.includes("POLICYHOLDER")) {
    yield { pointer: "/customerRoles", message: "Add POLICYHOLDER; every policy has one." }
  }
}

/** What is rounded stays within its bounds. */
function* roundingFaults({ perils, rounding }: Pick<Product, "perils" | "rounding">): Faults {
  const { to = 1 } = rounding?.premiums ?? {}
  for (const [index, { rating }] of perils.entries()) {
    for (const bound of ["min", "max"] as const) {
      if ((rating?.[bound] ?? 0) % to !== 0) {
        const message = `Choose a multiple of ${to}; /rounding/premiums rounds to that.`
        yield { pointer: `/perils/${index}/rating/${bound}`, message }
      }
    }
  }
}

function* stopFaults({
  dunning,
  reasons,
  stopReasons
}: Pick<Product, "dunning" | "reasons" | "stopReasons">): Faults {
  const known = stopReasons.map(({ id }) => id)
  yield* duplicates("/stopReasons", "id", known)
  for (const [index, { refund, rule, shortRate }] of stopReasons.entries()) {
    for (const length of ["notice", "notBefore"] as const) {
      const written = rule?.[length]
      if (written !== undefined && isSubDay(written)) {
        const message = "Write days, weeks, months or years; the law counts whole days."
        yield { pointer: `/stopReasons/${index}/rule/${length}`, message }
      }
    }
    const pointer = `/stopReasons/${index}/shortRate`
    if ((refund === "SHORT_RATE") !== (shortRate !== undefined && shortRate.length > 0)) {
      yield { pointer, message: "A table of short rates belongs to the refund SHORT_RATE." }
    }
    for (const [row, { kept, upToDays }] of (shortRate ?? []).entries()) {
      const before = shortRate?.[row - 1]
      if (before !== undefined && before.upToDays >= upToDays) {
        yield { pointer: `${pointer}/${row}/upToDays`, message: "Put the rows in order of days." }
      }
      const [numerator, denominator] = kept.split("/").map(Number)
      if (numerator! > denominator!) {
        yield { pointer: `${pointer}/${row}/kept`, message: "Keep at most the whole premium." }
      }
    }
  }
  if (dunning.feesRebilled > 0 && dunning.notice === undefined) {
    yield {
      pointer: "/dunning/feesRebilled",
      message: "Write 0, or add /dunning/notice; without notices nothing costs this."
    }
  }
  const used = [
    ...Object.entries(reasons).map(([name, id]) => [`/reasons/${name}`, id] as const),
    ["/dunning/stopReason", dunning.stopReason] as const
  ]
  for (const [pointer, id] of used) {
    if (!known.includes(id)) {
      yield { pointer, message: unknownName(id, known, "/stopReasons") }
    }
  }
}

function* invoicingFaults({
  activation,
  invoicing
}: Pick<Product, "activation" | "invoicing">): Faults {
  const { default: preset, firstPayments, frequencies, timings } = invoicing
  yield* duplicates("/invoicing/frequencies", "", frequencies)
  yield* duplicates("/invoicing/timings", "", timings)
  yield* duplicates("/invoicing/firstPayments", "", firstPayments)
  const offered = [
    ["frequency", frequencies.includes(preset.frequency)],
    ["timing", timings.includes(preset.timing)],
    ["firstPayment", firstPayments.includes(preset.firstPayment)]
  ] as const
  for (const [member, included] of offered) {
    if (!included) {
      yield { pointer: `/invoicing/default/${member}`, message: "Choose a value that is offered." }
    }
  }
  const early = preset.firstPayment.startsWith("EARLY_PAYMENT")
  if (early !== (preset.earlyPayment !== undefined)) {
    yield {
      pointer: "/invoicing/default/earlyPayment",
      message: "It belongs to a first payment EARLY_PAYMENT_AT_…."
    }
  } else if (preset.earlyPayment !== undefined && isSubDay(preset.earlyPayment)) {
    yield { pointer: "/invoicing/default/earlyPayment/unit", message: "Choose whole days." }
  }
  yield* gateFaults(activation, invoicing)
}

/** A way of sharing a policy names roles and components that the product has. */
function* assignmentFaults(
  product: Parameters<typeof componentsOf>[0] &
    Pick<Product, "billingAssignmentConfigs" | "customerRoles">
): Faults {
  const configs = product.billingAssignmentConfigs
  yield* duplicates(
    "/billingAssignmentConfigs",
    "id",
    configs.map(({ id }) => id)
  )
  const components = new Set(componentsOf(product).map(({ id }) => id))
  const roles = new Set(product.customerRoles)
  for (const [index, config] of configs.entries()) {
    const at = `/billingAssignmentConfigs/${index}`
    yield* unknownNames(config.payerRoles, roles, `${at}/payerRoles`)
    yield* unknownNames(config.components ?? [], components, `${at}/components`)
  }
}

function* unknownNames(
  names: ReadonlyArray<string>,
  known: ReadonlySet<string>,
  pointer: string
): Faults {
  for (const [index, name] of names.entries()) {
    if (!known.has(name)) {
      yield { pointer: `${pointer}/${index}`, message: `Leave it out; the product has no ${name}.` }
    }
  }
}

function* gateFaults(
  { coverFrom, firstPayment, notTakenUpAfterDays }: Product["activation"],
  { firstPayments, timings }: Product["invoicing"]
): Faults {
  if (coverFrom === "PAYMENT") {
    yield {
      pointer: "/activation/coverFrom",
      message: "Choose START_DATE; days lost before a payment are not credited yet."
    }
  }
  if (firstPayment === "GATE") {
    if (timings.includes("IN_ARREAR") && firstPayments.includes("NONE")) {
      yield {
        pointer: "/activation/firstPayment",
        message: "Offer IN_ARREAR or NONE, not both; there would be no first payment to wait for."
      }
    }
    return
  }
  if (notTakenUpAfterDays !== undefined) {
    yield { pointer: "/activation/notTakenUpAfterDays", message: "Leave it out without a GATE." }
  }
}
