/** Collections: files of SEPA debits, pain.008.001.08 or .02 (ISO 20022, EPC130-08 and EPC131-08). */
import {
  accountIban,
  bank,
  type FileForm,
  type FileSlice,
  instructedAmount,
  party,
  remittance,
  totals,
  writeFile,
  type WriteOptions
} from "./PaymentWriter.ts"
import type {
  Amendment,
  CollectionFile,
  CollectionMessage,
  DebitGroup,
  DebitOrder
} from "./PaymentOrders.ts"
import { faultsOfDebit, faultsOfDebitGroup, type ProfileLimits } from "./Profile.ts"
import { branch, escaped, leaf } from "./XmlText.ts"

/** The slices of a collection; see {@link writeFile}. Core and B2B never share a file. */
export const writeCollection = (
  file: CollectionFile,
  message: CollectionMessage,
  options: WriteOptions
): Generator<FileSlice> => writeFile(file, formOf(message, options), options)

const formOf = (
  message: CollectionMessage,
  limits: ProfileLimits
): FileForm<DebitGroup, DebitOrder> => {
  const bicElement = message === "pain.008.001.08" ? "BICFI" : "BIC"
  return {
    message,
    root: "CstmrDrctDbtInitn",
    kindOf: ({ scheme }) => scheme,
    ordersOf: ({ orders }) => orders,
    groupText: (group) =>
      [
        leaf("PmtInfId", group.paymentInformationId),
        `<PmtMtd>DD</PmtMtd><BtchBookg>${group.batchBooking}</BtchBookg>`,
        totals(group),
        `<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>${group.scheme}</Cd></LclInstrm>`,
        `<SeqTp>${group.sequence}</SeqTp></PmtTpInf>`,
        leaf("ReqdColltnDt", group.collectOn),
        party("Cdtr", group.creditor),
        accountIban("CdtrAcct", group.account),
        bank("CdtrAgt", group.account, bicElement),
        `<ChrgBr>SLEV</ChrgBr>${creditorScheme("CdtrSchmeId", group.creditorIdentifier)}`
      ].join(""),
    orderText: (order) =>
      [
        `<DrctDbtTxInf><PmtId>${leaf("EndToEndId", order.endToEndId)}</PmtId>`,
        instructedAmount(order.amount, order.currency),
        `<DrctDbtTx><MndtRltdInf>${leaf("MndtId", order.umr)}${leaf("DtOfSgntr", order.signedOn)}`,
        `${amendmentText(order.amendment)}</MndtRltdInf></DrctDbtTx>`,
        bank("DbtrAgt", order.account, bicElement),
        party("Dbtr", order.debtor),
        accountIban("DbtrAcct", order.account),
        `${remittance(order.remittance)}</DrctDbtTxInf>`
      ].join(""),
    groupFaults: (group) => faultsOfDebitGroup(group, limits),
    orderFaults: (order, group) => faultsOfDebit(order, group, limits)
  }
}

const creditorScheme = (element: string, identifier: string): string =>
  `<${element}><Id><PrvtId><Othr><Id>${escaped(identifier)}</Id>` +
  `<SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></${element}>`

/** What of the mandate is not as it was; another account is always told as `SMNDA`. */
const amendmentText = (amendment: Amendment | undefined): string => {
  if (amendment === undefined) return ""
  const { isNewAccount, originalCreditorIdentifier, originalUmr } = amendment
  const details = branch(
    "AmdmntInfDtls",
    leaf("OrgnlMndtId", originalUmr),
    originalCreditorIdentifier === undefined
      ? ""
      : creditorScheme("OrgnlCdtrSchmeId", originalCreditorIdentifier),
    isNewAccount === true
      ? "<OrgnlDbtrAcct><Id><Othr><Id>SMNDA</Id></Othr></Id></OrgnlDbtrAcct>"
      : ""
  )
  return details === "" ? "" : `<AmdmntInd>true</AmdmntInd>${details}`
}
