/** Statements and notifications as a bank writes them: for the simulated bank, which answers with files. */
import type { StatementMessage } from "@quittance/domain/treasury/BankStatement"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { decimalText } from "./Decimal.ts"
import type { Balance, BankAmount, BankEntry, BankParty, EntryDetail } from "./BankEntry.ts"
import { branch, declaration, documentTag, escaped, leaf } from "./XmlText.ts"

/** A statement, or a notification, to write. */
export interface StatementText {
  readonly message: StatementMessage
  /** The versions of 2009 (`02`) and of 2019 (`08`). */
  readonly version: "02" | "08"
  readonly id: string
  readonly sequence?: number | undefined
  /** On the bank's clock, such as `2026-12-01T20:00:00`. */
  readonly createdAt: string
  readonly iban: string
  readonly currency: string
  readonly balances: ReadonlyArray<Balance>
  readonly entries: Iterable<BankEntry>
}

const roots: Readonly<Record<StatementMessage, readonly [root: string, statement: string]>> = {
  "camt.052": ["BkToCstmrAcctRpt", "Rpt"],
  "camt.053": ["BkToCstmrStmt", "Stmt"],
  "camt.054": ["BkToCstmrDbtCdtNtfctn", "Ntfctn"]
}

/** The opening and the closing balance of a day. */
export const dayBalances = (
  day: LocalDate,
  currency: string,
  opening: number,
  closing: number
): ReadonlyArray<Balance> =>
  [
    { type: "OPBD", balance: opening },
    { type: "CLBD", balance: closing }
  ].map(({ balance, type }) => ({
    type,
    direction: balance < 0 ? "DEBIT" : "CREDIT",
    on: day,
    amount: Math.abs(balance),
    currency
  }))

/** The text of a statement, piece by piece. */
export function* writeStatement(statement: StatementText): Generator<string> {
  const { balances, createdAt, currency, entries, iban, id, message, sequence, version } = statement
  const [root, element] = roots[message]
  yield (
    declaration +
      documentTag(`${message}.001.${version}`) +
      `<${root}>${branch("GrpHdr", leaf("MsgId", id), leaf("CreDtTm", createdAt))}<${element}>` +
      leaf("Id", id) +
      leaf("ElctrncSeqNb", sequence === undefined ? undefined : String(sequence)) +
      leaf("CreDtTm", createdAt) +
      `<Acct><Id>${leaf("IBAN", iban)}</Id>${leaf("Ccy", currency)}</Acct>` +
      balances.map(balanceText).join("")
  )
  for (const entry of entries) yield `\n${entryText(entry, version === "08")}`
  yield `</${element}></${root}></Document>\n`
}

const balanceText = ({ amount, currency, direction, on, type }: Balance): string =>
  branch(
    "Bal",
    `<Tp><CdOrPrtry>${leaf("Cd", type)}</CdOrPrtry></Tp>`,
    amountText("Amt", { amount, currency }),
    directionText(direction),
    on === undefined ? "" : `<Dt>${leaf("Dt", on)}</Dt>`
  )

const entryText = (entry: BankEntry, isNew: boolean): string =>
  branch(
    "Ntry",
    amountText("Amt", entry.moved),
    directionText(entry.direction),
    entry.isReversal ? "<RvslInd>true</RvslInd>" : "",
    isNew ? `<Sts>${leaf("Cd", entry.status)}</Sts>` : leaf("Sts", entry.status),
    entry.bookedOn === undefined ? "" : `<BookgDt>${leaf("Dt", entry.bookedOn)}</BookgDt>`,
    entry.valueOn === undefined ? "" : `<ValDt>${leaf("Dt", entry.valueOn)}</ValDt>`,
    leaf("AcctSvcrRef", entry.bankReference),
    branch("BkTxCd", codeText(entry)),
    chargesText(entry.charges, entry.moved.currency, isNew),
    branch(
      "NtryDtls",
      ...entry.batches.map((batch) =>
        branch(
          "Btch",
          leaf("MsgId", batch.messageId),
          leaf("PmtInfId", batch.paymentInformationId),
          leaf("NbOfTxs", batch.count === undefined ? undefined : String(batch.count))
        )
      ),
      ...entry.details.map((detail) => detailText(detail, entry, isNew))
    ),
    leaf("AddtlNtryInf", entry.text)
  )

const codeText = ({ domain, family, subFamily }: BankEntry): string =>
  domain === undefined
    ? branch("Prtry", leaf("Cd", subFamily ?? "OTHR"))
    : branch(
        "Domn",
        leaf("Cd", domain),
        branch("Fmly", leaf("Cd", family ?? "NTAV"), leaf("SubFmlyCd", subFamily ?? "NTAV"))
      )

const detailText = (detail: EntryDetail, entry: BankEntry, isNew: boolean): string => {
  const { instructed, moved } = detail
  const own = isNew && moved !== undefined
  return branch(
    "TxDtls",
    branch(
      "Refs",
      leaf("MsgId", detail.messageId),
      leaf("PmtInfId", detail.paymentInformationId),
      leaf("EndToEndId", detail.endToEndId ?? "NOTPROVIDED"),
      leaf("MndtId", detail.mandateId)
    ),
    own ? amountText("Amt", moved) + directionText(detail.direction ?? entry.direction) : "",
    branch(
      "AmtDtls",
      instructed === undefined ? "" : branch("InstdAmt", amountText("Amt", instructed)),
      moved === undefined || isNew ? "" : branch("TxAmt", amountText("Amt", moved))
    ),
    chargesText(detail.charges, entry.moved.currency, isNew),
    branch(
      "RltdPties",
      partyText("Dbtr", detail.debtor, isNew),
      partyText("Cdtr", detail.creditor, isNew)
    ),
    branch(
      "RmtInf",
      ...detail.texts.map((text) => leaf("Ustrd", text)),
      ...detail.references.map((reference) =>
        branch(
          "Strd",
          branch(
            "CdtrRefInf",
            "<Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp>",
            leaf("Ref", reference)
          )
        )
      )
    ),
    detail.returnReason === undefined
      ? ""
      : `<RtrInf><Rsn>${leaf("Cd", detail.returnReason)}</Rsn></RtrInf>`
  )
}

const partyText = (role: "Dbtr" | "Cdtr", { iban, name }: BankParty, isNew: boolean): string => {
  const named = leaf("Nm", name)
  return (
    branch(role, isNew ? branch("Pty", named) : named) +
    (iban === undefined ? "" : `<${role}Acct><Id>${leaf("IBAN", iban)}</Id></${role}Acct>`)
  )
}

const chargesText = (charges: number, currency: string | undefined, isNew: boolean): string => {
  if (charges === 0) return ""
  const amount = amountText("Amt", { amount: charges, currency })
  return isNew
    ? `<Chrgs><Rcrd>${amount}${directionText("DEBIT")}</Rcrd></Chrgs>`
    : `<Chrgs>${amount}</Chrgs>`
}

const amountText = (element: string, { amount = 0, currency = "EUR" }: BankAmount): string =>
  `<${element} Ccy="${escaped(currency)}">${decimalText(amount)}</${element}>`

const directionText = (direction: "CREDIT" | "DEBIT"): string =>
  `<CdtDbtInd>${direction === "DEBIT" ? "DBIT" : "CRDT"}</CdtDbtInd>`
