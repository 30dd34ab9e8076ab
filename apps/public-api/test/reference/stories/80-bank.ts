/** The tenant's treasurer says where money is collected, and a customer from where they pay. */
import { Effect } from "effect"
import { motor, type World } from "../../Api.ts"
import { antoine, opened, type Sold } from "../Sale.ts"
import { statementForm } from "../../BankFiles.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (
  world: World,
  { customerId, policyId, visitor }: Sold
) {
  const manager = by(world, world.manager)
  const account = "/admin/bank-accounts/collections"
  const { id: bankAccountId } = yield* manager.put(account, {
    holder: {
      name: "Acme Assurances",
      address: {
        street: "Rue de la Paix",
        number: "2",
        postcode: "75002",
        town: "Paris",
        country: "FR"
      }
    },
    iban: "FR76 9999 9000 0100 0000 0000 115",
    creditorIdentifier: "FR72ZZZ123456",
    timeZone: "Europe/Paris",
    usage: ["COLLECT", "PAY_OUT"],
    products: "ALL",
    channel: "SIMULATED"
  })
  yield* manager.get("/admin/bank-accounts")
  yield* manager.get(account)

  const { data: invoices } = yield* manager.get(`/billing/policies/${policyId}/invoices`)
  yield* manager.get(`/payments/invoices/${invoices.at(-1).id}/instructions`)

  const method = yield* visitor.post(`/payment-methods/customers/${customerId}`, {
    iban: "FR76 9999 9000 0100 0000 0010 106",
    holderName: "Camille Martin"
  })
  const path = `/payment-methods/${method["id"]}`
  yield* visitor.patch(`/customers/${customerId}`, { preferredPaymentMethodId: method["id"] })
  yield* visitor.get(`/payment-methods/customers/${customerId}`)
  yield* visitor.get(path)
  yield* manager.get(`${path}/account`)

  // They let the insurer collect from it, and move to another bank later.
  const made = yield* visitor.post(`/mandates/payment-methods/${method["id"]}`, {
    productId: motor.productId,
    locale: "fr"
  })
  const mandate = `/mandates/${made["id"]}`
  const { hash } = yield* visitor.get(`${mandate}/text`)
  yield* visitor.post(`${mandate}/sign`, {
    consent: { textHash: hash, accepted: true },
    place: "Lyon"
  })
  const other = yield* visitor.post(`/payment-methods/customers/${customerId}`, {
    iban: "FR76 9999 9000 0100 0000 0020 194",
    holderName: "Camille Martin"
  })
  yield* visitor.post(`${mandate}/amend`, { paymentMethodId: other["id"] })
  yield* visitor.get(mandate)
  yield* visitor.get(`/mandates/customers/${customerId}`)
  yield* visitor.post(`${mandate}/cancel`)
  yield* visitor.post(`${path}/disable`)
  yield* manager.post(`/mandates/payment-methods/${other["id"]}/import`, {
    productId: motor.productId,
    umr: "OLD-2024-001187",
    signedOn: "2024-11-04",
    lastPresentedOn: "2026-04-07",
    evidence: "Archive of Acme, box 12"
  })

  // A company's bank is told before anything is collected.
  const { customerId: companyId } = yield* opened(manager, {}, { ...antoine, type: "COMPANY" })
  const theirs = yield* manager.post(`/payment-methods/customers/${companyId}`, {
    iban: "FR76 9999 9000 0100 0000 0010 106",
    holderName: "Moreau SARL"
  })
  const b2b = yield* manager.post(`/mandates/payment-methods/${theirs["id"]}`, {
    productId: motor.productId,
    scheme: "B2B",
    locale: "fr"
  })
  const wording = yield* manager.get(`/mandates/${b2b["id"]}/text`)
  yield* manager.post(`/mandates/${b2b["id"]}/sign`, {
    consent: { textHash: wording["hash"], accepted: true }
  })
  yield* manager.post(`/mandates/${b2b["id"]}/confirm-bank`, {
    evidence: "Letter of the bank of 4 May 2026"
  })

  // The bank tells of a transfer without a reference, which people allocate.
  const iban = "FR7699999000010000000000115"
  const files = `/bank-accounts/${bankAccountId}/statements`
  const send = ({ body, headers }: ReturnType<typeof statementForm>) =>
    manager.post(files, body, headers["content-type"])
  const day = "2026-05-04"
  yield* send(statementForm({ iban, day, amounts: [4200, 700], opening: 10_000, closing: 14_900 }))
  yield* manager.get("/bank-statements")
  const gap = statementForm({
    iban,
    day: "2026-05-06",
    amounts: [90],
    opening: 15_000,
    closing: 15_090
  })
  const { statements } = yield* send(gap)
  const statement = `/bank-statements/${statements[0].id}`
  yield* manager.get(statement)
  yield* manager.post(`${statement}/accept`, { reason: "The bank has confirmed it by telephone" })
  const { data: queue } = yield* manager.get("/bank-entries?statuses=UNMATCHED")
  const [entry, interest] = queue.map(({ id }: { readonly id: string }) => `/bank-entries/${id}`)
  const { data: suggested } = yield* manager.get(`${entry}/suggestions`)
  yield* manager.post(`${entry}/allocate`, {
    allocations: [{ invoiceId: suggested[0].invoiceId, amount: 10 }],
    rest: "SUSPENSE"
  })
  yield* manager.get(`${entry}`)
  yield* manager.post(`${entry}/unallocate`)
  yield* manager.post(`${interest}/ignore`, {
    reason: "Interest for the quarter",
    account: "OTHER"
  })
  yield* manager.post("/sandbox/bank-transfers", {
    bankAccountId,
    amount: 12_345,
    debtorName: "Camille Martin",
    debtorIban: "FR76 9999 9000 0100 0000 0010 106",
    text: "Car insurance, second half"
  })
  yield* manager.get(`/bank-accounts/${bankAccountId}/ledger`)
  yield* manager.get(`/bank-accounts/${bankAccountId}/awaited`)
})
