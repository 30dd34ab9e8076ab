/** Writes a file of payments slice by slice, each checked against the profile while it is written. */
import { decimalText } from "./Decimal.ts"
import type { Account, Party, PaymentFile, PostalAddress } from "./PaymentOrders.ts"
import { fault, faultsOfFile, type ProfileFault, type ProfileLimits } from "./Profile.ts"
import { branch, declaration, documentTag, escaped, leaf } from "./XmlText.ts"

/** A part of a file as it is written. */
export interface FileSlice {
  /** What follows in the file. */
  readonly text: string
  /**
   * The payments of the slice as a document of their own, for a check against the schema: a file of 100,000
   * debits as one document takes several hundred megabytes. The last slice may have none.
   */
  readonly document?: () => string
  /** Where the profile is broken: a file with one must not leave. */
  readonly faults: ReadonlyArray<ProfileFault>
}

/** How a file is written. */
export interface WriteOptions extends ProfileLimits {
  /** How many payments a slice has; 1,000 where it is absent. */
  readonly sliceSize?: number | undefined
}

/** What every group and every order has. */
export interface GroupTotals {
  readonly paymentInformationId: string
  readonly count: number
  readonly sum: number
}
interface OrderNumbers {
  readonly endToEndId: string
  readonly amount: number
}

/** How one kind of file differs from the others: its elements and its own rules. */
export interface FileForm<G extends GroupTotals, O extends OrderNumbers> {
  /** Such as `pain.008.001.08`. */
  readonly message: string
  readonly root: string
  /** What groups of one file may not mix, such as schemes. */
  readonly kindOf: (group: G) => string
  readonly ordersOf: (group: G) => Iterable<O>
  /** All elements of a group that stand before its orders, without their parent's tag. */
  readonly groupText: (group: G) => string
  readonly orderText: (order: O) => string
  readonly groupFaults: (group: G) => ReadonlyArray<ProfileFault>
  readonly orderFaults: (order: O, group: G) => ReadonlyArray<ProfileFault>
}

/**
 * The slices of a file, in order; put together they are the file. What is kept of it is its totals and the
 * numbers of its payments, so that these may come from anywhere, one after the other.
 */
export function* writeFile<G extends GroupTotals, O extends OrderNumbers>(
  file: PaymentFile<G>,
  form: FileForm<G, O>,
  { sliceSize = 1000, ...limits }: WriteOptions
): Generator<FileSlice> {
  const head = `${declaration}${documentTag(form.message)}<${form.root}>${headOf(file)}`
  const end = `</${form.root}></Document>\n`
  const check = new FileCheck(file, faultsOfFile(file, limits))
  let lead = head
  for (const group of file.groups) {
    const groupHead = `\n<PmtInf>${form.groupText(group)}`
    check.open(group, form.kindOf(group), form.groupFaults(group))
    lead += groupHead
    let orders: Array<string> = []
    const slice = (after: string): FileSlice => {
      const text = orders.join("")
      orders = []
      const document = () => head + groupHead + text + groupEnd + end
      const written = { text: lead + text + after, document, faults: check.faults() }
      lead = ""
      return written
    }
    for (const order of form.ordersOf(group)) {
      if (orders.length === sliceSize) yield slice("")
      orders.push(`\n${form.orderText(order)}`)
      check.add(order, form.orderFaults(order, group))
    }
    check.close(group)
    yield slice(groupEnd)
  }
  check.end()
  yield { text: lead + end, faults: check.faults() }
}

const groupEnd = "\n</PmtInf>"

/** Counts, sums and numbers of a file, and the faults that were found since they were last asked for. */
class FileCheck {
  readonly #file: PaymentFile<unknown>
  readonly #numbers = new Set<string>()
  #found: Array<ProfileFault>
  #kind: string | undefined
  #all = { count: 0, sum: 0 }
  #group = { count: 0, sum: 0 }

  constructor(file: PaymentFile<unknown>, found: ReadonlyArray<ProfileFault>) {
    this.#file = file
    this.#found = [...found]
  }

  open(group: GroupTotals, kind: string, found: ReadonlyArray<ProfileFault>): void {
    const at = group.paymentInformationId
    this.#found.push(...found)
    this.#take(at)
    if (this.#kind !== undefined && this.#kind !== kind) {
      this.#found.push(fault("MIXED", at, `${this.#kind} and ${kind} are files of their own.`))
    }
    this.#kind ??= kind
    this.#group = { count: 0, sum: 0 }
  }

  add({ amount, endToEndId }: OrderNumbers, found: ReadonlyArray<ProfileFault>): void {
    if (found.length > 0) this.#found.push(...found)
    this.#take(endToEndId)
    this.#group.count += 1
    this.#group.sum += amount
  }

  close(group: GroupTotals): void {
    this.#agree(this.#group, group, group.paymentInformationId)
    this.#all.count += this.#group.count
    this.#all.sum += this.#group.sum
  }

  end(): void {
    this.#agree(this.#all, this.#file, this.#file.messageId)
  }

  faults(): ReadonlyArray<ProfileFault> {
    const found = this.#found
    this.#found = []
    return found
  }

  #take(number: string): void {
    if (this.#numbers.has(number)) {
      this.#found.push(fault("DUPLICATE", number, "A number stands in a file once."))
    }
    this.#numbers.add(number)
  }

  #agree(
    found: { readonly count: number; readonly sum: number },
    told: { readonly count: number; readonly sum: number },
    at: string
  ): void {
    if (found.count === 0) this.#found.push(fault("EMPTY", at, "There is no payment to make."))
    if (found.count !== told.count || found.sum !== told.sum) {
      this.#found.push(fault("TOTALS", at, "The count or the sum is not that of the payments."))
    }
  }
}

const headOf = ({ count, createdAt, initiator, messageId, sum }: PaymentFile<unknown>): string =>
  branch(
    "GrpHdr",
    leaf("MsgId", messageId),
    leaf("CreDtTm", createdAt.replace(".000Z", "Z")),
    totals({ count, sum }),
    branch("InitgPty", leaf("Nm", initiator))
  )

/** The number of payments and their sum. */
export const totals = ({ count, sum }: { readonly count: number; readonly sum: number }): string =>
  `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${decimalText(sum)}</CtrlSum>`

/** `<InstdAmt Ccy="EUR">12.50</InstdAmt>` */
export const instructedAmount = (amount: number, currency: string): string =>
  `<InstdAmt Ccy="${escaped(currency)}">${decimalText(amount)}</InstdAmt>`

export const party = (element: string, { address, name }: Party): string =>
  branch(element, leaf("Nm", name), address === undefined ? "" : postalAddress(address))

const postalAddress = ({ country, number, postcode, street, town }: PostalAddress): string =>
  branch(
    "PstlAdr",
    leaf("StrtNm", street),
    leaf("BldgNb", number),
    leaf("PstCd", postcode),
    leaf("TwnNm", town === "" ? undefined : town),
    leaf("Ctry", country)
  )

export const accountIban = (element: string, { iban }: Account): string =>
  `<${element}><Id><IBAN>${escaped(iban)}</IBAN></Id></${element}>`

/** The bank of an account: by its BIC, or `NOTPROVIDED` where the IBAN says enough. */
export const bank = (element: string, { bic }: Account, bicElement: "BIC" | "BICFI"): string =>
  bic === undefined
    ? `<${element}><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></${element}>`
    : `<${element}><FinInstnId>${leaf(bicElement, bic)}</FinInstnId></${element}>`

export const remittance = (text: string): string =>
  text === "" ? "" : `<RmtInf>${leaf("Ustrd", text)}</RmtInf>`
