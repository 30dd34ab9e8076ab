/** What is wrong with how a product says that its money is collected. */
import type { Product, ProductFault } from "../Product.ts"

export function* paymentFaults({
  currency,
  payments
}: Pick<Product, "currency" | "payments">): Generator<ProductFault, void> {
  if (payments === undefined) return
  const { directDebit, modes, refunds, tolerance = 0 } = payments
  const isDebited = modes.includes("DIRECT_DEBIT")
  if (isDebited && currency !== "EUR") {
    yield {
      pointer: "/payments/modes",
      message: "Leave DIRECT_DEBIT out; SEPA collects euros alone."
    }
  }
  if (isDebited !== (directDebit !== undefined)) {
    const message = isDebited
      ? "Say how it is debited: with DIRECT_DEBIT there has to be `directDebit`."
      : "Leave it out, or add DIRECT_DEBIT to the modes."
    yield { pointer: "/payments/directDebit", message }
  }
  // What nothing does would promise what does not happen.
  if (modes.includes("CARD")) {
    yield { pointer: "/payments/modes", message: "Leave CARD out; cards are not charged yet." }
  }
  if (directDebit?.announce === "SCHEDULE") {
    const message = "Choose INVOICE; debits are not announced a term at a time yet."
    yield { pointer: "/payments/directDebit/announce", message }
  }
  if (refunds?.automatic === true) {
    const message = "Write false; balances are not paid out by themselves yet."
    yield { pointer: "/payments/refunds/automatic", message }
  }
  if (tolerance > 0) {
    const message = "Write 0; no transfer pays an invoice that it falls short of yet."
    yield { pointer: "/payments/tolerance", message }
  }
}
