/** Credit transfers: files of payouts, pain.001.001.09 or .03 (ISO 20022, EPC132-08). */
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
  TransferFile,
  TransferGroup,
  TransferMessage,
  TransferOrder
} from "./PaymentOrders.ts"
import { faultsOfTransfer, faultsOfTransferGroup, type ProfileLimits } from "./Profile.ts"
import { leaf } from "./XmlText.ts"

/** The slices of a file of transfers; see {@link writeFile}. Instant ones have files of their own. */
export const writeTransfers = (
  file: TransferFile,
  message: TransferMessage,
  options: WriteOptions
): Generator<FileSlice> => writeFile(file, formOf(message, options), options)

const formOf = (
  message: TransferMessage,
  limits: ProfileLimits
): FileForm<TransferGroup, TransferOrder> => {
  const isNew = message === "pain.001.001.09"
  const bicElement = isNew ? "BICFI" : "BIC"
  const executionDay = (day: string) => (isNew ? leaf("Dt", day) : day)
  return {
    message,
    root: "CstmrCdtTrfInitn",
    kindOf: ({ speed }) => speed,
    ordersOf: ({ orders }) => orders,
    groupText: (group) =>
      [
        leaf("PmtInfId", group.paymentInformationId),
        `<PmtMtd>TRF</PmtMtd><BtchBookg>${group.batchBooking}</BtchBookg>`,
        totals(group),
        `<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl>`,
        group.speed === "INSTANT" ? "<LclInstrm><Cd>INST</Cd></LclInstrm>" : "",
        `</PmtTpInf><ReqdExctnDt>${executionDay(group.executeOn)}</ReqdExctnDt>`,
        party("Dbtr", group.debtor),
        accountIban("DbtrAcct", group.account),
        bank("DbtrAgt", group.account, bicElement),
        "<ChrgBr>SLEV</ChrgBr>"
      ].join(""),
    orderText: (order) =>
      [
        `<CdtTrfTxInf><PmtId>${leaf("EndToEndId", order.endToEndId)}</PmtId>`,
        `<Amt>${instructedAmount(order.amount, order.currency)}</Amt>`,
        order.account.bic === undefined ? "" : bank("CdtrAgt", order.account, bicElement),
        party("Cdtr", order.creditor),
        accountIban("CdtrAcct", order.account),
        `${remittance(order.remittance)}</CdtTrfTxInf>`
      ].join(""),
    groupFaults: (group) => faultsOfTransferGroup(group, limits),
    orderFaults: (order) => faultsOfTransfer(order, limits)
  }
}
