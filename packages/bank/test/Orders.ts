/** Files of payments as tests draw them: all sound, in the characters of SEPA. */
import { parse as parseInstant } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type {
  CollectionFile,
  DebitGroup,
  DebitOrder,
  Party,
  PaymentFile,
  TransferFile,
  TransferGroup,
  TransferOrder
} from "../src/PaymentOrders.ts"
import { writableDebit, writableParty, writableTransfer } from "../src/PaymentOrders.ts"
import { numberText } from "../src/References.ts"
import { firstOpen } from "../src/Target.ts"
import { testIban } from "../src/TestAccounts.ts"
import type { Draw } from "@quittance/testing/Draw"

export const limits = { characters: "SEPA_BASIC" as const, maxTransactions: 100_000 }

export const ownIban = "FR7699999000010000000000115"
export const creditorIdentifier = "FR72ZZZ123456"

const names = [
  "Chloé Dupont",
  "Œuvre & Fils",
  "José García",
  "Anna Müller",
  "Łukasz Żółć",
  "Þórður <Jónsson>",
  'D\'Artagnan "Charles"',
  "王 Wang Li",
  "A".repeat(90),
  "Société ']]> & Cie"
]

export const drawParty = (draw: Draw): Party => ({
  name: draw.pick(names),
  ...(draw.chance(0.5)
    ? {
        address: {
          ...(draw.chance(0.7) ? { street: "Rue de l'Été", number: "12 bis" } : {}),
          ...(draw.chance(0.7) ? { postcode: "69003" } : {}),
          town: draw.pick(["Lyon", "Saint-Étienne", "L'Haÿ-les-Roses"]),
          country: "FR"
        }
      }
    : {})
})

const drawAccount = (draw: Draw) => ({
  iban: testIban(String(draw.int(1, 99_999_999_999)).padStart(11, "0")),
  ...(draw.chance(0.3) ? { bic: "QTTSFR99" } : {})
})

const drawRemittance = (draw: Draw) =>
  draw.pick(["", "Prime RF90A1 échéance 01/12/2026", "R&D <b> 'x'", "é".repeat(300)])

export const drawDebit = (draw: Draw, number: number): DebitOrder =>
  writableDebit(
    {
      endToEndId: numberText("DD", number),
      amount: draw.pick([1, 99, 100, 12_999, 99_999_999_999, draw.int(1, 1_000_000)]),
      currency: "EUR",
      umr: numberText("QM", draw.int(1, 9_999_999)),
      signedOn: LocalDate.make(draw.day(2020, 2025)),
      ...(draw.chance(0.3)
        ? {
            amendment: draw.pick([
              { isNewAccount: true },
              { originalUmr: "OLD-1" },
              { originalCreditorIdentifier: "FR83ZZZ654321", isNewAccount: true }
            ])
          }
        : {}),
      debtor: drawParty(draw),
      account: drawAccount(draw),
      remittance: drawRemittance(draw)
    },
    "SEPA_BASIC"
  )

export const drawTransfer = (draw: Draw, number: number): TransferOrder =>
  writableTransfer(
    {
      endToEndId: numberText("PO", number),
      amount: draw.int(1, 1_000_000),
      currency: "EUR",
      creditor: drawParty(draw),
      account: drawAccount(draw),
      remittance: drawRemittance(draw)
    },
    "SEPA_BASIC"
  )

/** The totals of orders. */
export const totalsOf = (orders: ReadonlyArray<{ readonly amount: number }>) => ({
  count: orders.length,
  sum: orders.reduce((sum, { amount }) => sum + amount, 0)
})

const fileOf = <G extends { readonly count: number; readonly sum: number }>(
  messageId: string,
  groups: ReadonlyArray<G>
): PaymentFile<G> => ({
  messageId,
  createdAt: parseInstant("2026-11-27T15:00:00Z")!,
  initiator: "Acme Assurances",
  count: groups.reduce((count, group) => count + group.count, 0),
  sum: groups.reduce((sum, group) => sum + group.sum, 0),
  groups
})

export const drawCollection = (draw: Draw): CollectionFile => {
  const messageId = numberText("QC", draw.int(1, 1_000_000))
  const scheme = draw.pick(["CORE", "B2B"] as const)
  let number = draw.int(1, 1_000_000)
  const groups = Array.from({ length: draw.int(1, 3) }, (_, index): DebitGroup => {
    const orders = Array.from({ length: draw.int(1, 12) }, () => drawDebit(draw, number++))
    return {
      paymentInformationId: `${messageId}-${index + 1}`,
      scheme,
      sequence: draw.pick(["FRST", "RCUR", "OOFF"] as const),
      collectOn: firstOpen(LocalDate.make(draw.day(2026, 2030))),
      batchBooking: draw.chance(0.5),
      creditor: writableParty(drawParty(draw), "SEPA_BASIC"),
      account: { iban: ownIban, ...(draw.chance(0.5) ? { bic: "QTTSFR99" } : {}) },
      creditorIdentifier,
      ...totalsOf(orders),
      orders
    }
  })
  return fileOf(messageId, groups)
}

export const drawTransfers = (draw: Draw): TransferFile => {
  const messageId = numberText("QP", draw.int(1, 1_000_000))
  const speed = draw.pick(["STANDARD", "INSTANT"] as const)
  let number = draw.int(1, 1_000_000)
  const groups = Array.from({ length: draw.int(1, 2) }, (_, index): TransferGroup => {
    const orders = Array.from({ length: draw.int(1, 8) }, () => drawTransfer(draw, number++))
    return {
      paymentInformationId: `${messageId}-${index + 1}`,
      speed,
      executeOn: firstOpen(LocalDate.make(draw.day(2026, 2030))),
      batchBooking: draw.chance(0.5),
      debtor: writableParty(drawParty(draw), "SEPA_BASIC"),
      account: { iban: ownIban },
      ...totalsOf(orders),
      orders
    }
  })
  return fileOf(messageId, groups)
}
