/** Statements as tests draw them. */
import { addDays, LocalDate } from "@quittance/domain/values/LocalDate"
import type { BankEntry, EntryDetail } from "../src/BankEntry.ts"
import { dayBalances, type StatementText, writeStatement } from "../src/CamtWriter.ts"
import { signedAmount } from "../src/Entries.ts"
import { testIban } from "../src/TestAccounts.ts"
import type { Draw } from "@quittance/testing/Draw"
import { ownIban } from "./Orders.ts"

const euros = (amount: number) => ({ amount, currency: "EUR" })

export const detail = (more: Partial<EntryDetail> = {}): EntryDetail => ({
  charges: 0,
  debtor: {},
  creditor: {},
  references: [],
  texts: [],
  ...more
})

/** An entry of 1 December 2026: a credit, or a debit where the amount is below nothing. */
export const entry = (amount: number, more: Partial<BankEntry> = {}): BankEntry => ({
  status: "BOOK",
  direction: amount < 0 ? "DEBIT" : "CREDIT",
  isReversal: false,
  moved: euros(Math.abs(amount)),
  bookedOn: LocalDate.make("2026-12-01"),
  valueOn: LocalDate.make("2026-12-01"),
  domain: "PMNT",
  family: amount < 0 ? "ICDT" : "RCDT",
  subFamily: "ESCT",
  charges: 0,
  batches: [],
  details: [detail({ moved: euros(Math.abs(amount)) })],
  ...more
})

const texts = ["VIR RF95 A8 MERCI", "assurance", '<b>&amp;</b> ]]> "x"', "Żółć 王 🙂", "a\u00A0b"]

export const drawEntry = (draw: Draw): BankEntry => {
  const amount = draw.int(1, 99_999) * (draw.chance(0.3) ? -1 : 1)
  const day = addDays(LocalDate.make("2026-12-01"), draw.int(0, 2))
  return entry(amount, {
    status: draw.pick(["BOOK", "BOOK", "BOOK", "PDNG", "INFO"]),
    isReversal: draw.chance(0.1),
    bookedOn: day,
    valueOn: day,
    ...(draw.chance(0.5) ? { bankReference: `B${draw.int(1, 5)}` } : {}),
    ...(draw.chance(0.2) ? { text: draw.pick(texts) } : {}),
    ...(draw.chance(0.2)
      ? { batches: [{ messageId: "QC000000000157", paymentInformationId: "X-1", count: 3 }] }
      : {}),
    details: Array.from({ length: draw.pick([0, 1, 1, 1, 2, 3]) }, () =>
      detail({
        moved: euros(draw.int(1, 999)),
        ...(draw.chance(0.3) ? { instructed: euros(draw.int(1, 999)) } : {}),
        ...(draw.chance(0.2) ? { charges: draw.int(1, 500) } : {}),
        ...(draw.chance(0.3) ? { endToEndId: "DD000000000117", mandateId: "QM000000000142" } : {}),
        debtor: draw.chance(0.5)
          ? { name: draw.pick(["Paul Martin", "A & B <C>"]), iban: testIban("00000000102") }
          : {},
        creditor: draw.chance(0.2) ? { name: "Acme", iban: ownIban } : {},
        references: draw.chance(0.3) ? ["RF25A7"] : [],
        texts: draw.some(texts),
        ...(draw.chance(0.2) ? { returnReason: "AM04" } : {})
      })
    )
  })
}

/** The text of a statement of the account, with the balances that its entries give. */
export const statementText = (
  entries: ReadonlyArray<BankEntry>,
  more: Partial<StatementText> & { readonly opening?: number } = {}
): string => {
  const { opening = 0, ...rest } = more
  const closing = entries
    .filter(({ status }) => status === "BOOK")
    .reduce((sum, one) => sum + (signedAmount(one) ?? 0), opening)
  return [
    ...writeStatement({
      message: "camt.053",
      version: "08",
      id: "S1",
      createdAt: "2026-12-01T22:00:00",
      iban: ownIban,
      currency: "EUR",
      balances: dayBalances(LocalDate.make("2026-12-01"), "EUR", opening, closing),
      entries,
      ...rest
    })
  ].join("")
}
