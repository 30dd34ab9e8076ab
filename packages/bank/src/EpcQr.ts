/** The text of a payer's QR code for a transfer (EPC069-12, version 2), which banking apps read. */
import { decimalText } from "./Decimal.ts"
import type { Account } from "./PaymentOrders.ts"

/** What a payer is to transfer. */
export interface RequestedTransfer {
  /** At most 70 characters. */
  readonly holder: string
  readonly account: Account
  /** In cents, 1 to 99,999,999,999. */
  readonly amount: number
  /** A creditor reference (ISO 11649). */
  readonly reference: string
}

/**
 * The lines of the code: service tag, version, UTF-8, transfer, BIC, name, IBAN, amount, no purpose, and the
 * creditor reference. It is to be drawn with error correction M, as the guidelines ask.
 */
export const epcQrText = ({ account, amount, holder, reference }: RequestedTransfer): string =>
  [
    "BCD",
    "002",
    "1",
    "SCT",
    account.bic ?? "",
    holder,
    account.iban,
    `EUR${decimalText(amount)}`,
    "",
    reference
  ].join("\n")
