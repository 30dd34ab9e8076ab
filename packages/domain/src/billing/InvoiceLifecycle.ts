/** The manual adjustments of an invoice by status, one table: code, documentation and refusals read it. */
import { Result } from "effect"
import type { InvoiceStatus } from "./Invoice.ts"
import { InvalidTransition } from "../requests/RequestErrors.ts"

interface InvoiceEdge {
  readonly command: "write-off" | "reverse-write-off" | "credit" | "cancel"
  readonly from: ReadonlyArray<InvoiceStatus>
}

export type InvoiceCommand = InvoiceEdge["command"]

/** A credit leaves an invoice in the state that its settlement gives it; the others say where they lead. */
export const invoiceEdges: ReadonlyArray<InvoiceEdge> = [
  {
    command: "write-off",
    from: ["ISSUED", "PAYMENT_FAILED", "PARTIALLY_PAID", "PAYMENT_DISPUTED"]
  },
  { command: "reverse-write-off", from: ["WRITTEN_OFF"] },
  {
    command: "credit",
    from: [
      "ISSUED",
      "PAYMENT_IN_PROGRESS",
      "PAID",
      "PAYMENT_FAILED",
      "PARTIALLY_PAID",
      "PAYMENT_DISPUTED"
    ]
  },
  { command: "cancel", from: ["DRAFTED"] }
]

/** What the table has for an invoice, or all but a credit where it has nothing to give back. */
export const permitInvoice = (
  status: InvoiceStatus,
  command: InvoiceCommand,
  creditable: boolean
): Result.Result<void, InvalidTransition> => {
  const allowed = invoiceEdges
    .filter(({ from }) => from.includes(status))
    .map((edge) => edge.command)
    .filter((other) => other !== "credit" || creditable)
  return allowed.includes(command)
    ? Result.void
    : Result.fail(new InvalidTransition({ status, command, allowed }))
}
