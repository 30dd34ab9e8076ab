/** An electronic invoice in the syntax of UN/CEFACT CII D16B, as Factur-X 1.0 has it in profile EN 16931. */
import type { ElectronicInvoice, ElectronicLevy, ElectronicLine } from "./ElectronicInvoice.ts"
import { type Content, element, type Element, xmlDocument } from "./Xml.ts"

const ram = (name: string, content: Content, attributes?: Readonly<Record<string, string>>) =>
  element(`ram:${name}`, content, attributes)

const namespaces = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
}

/** The same invoice gives the same text. */
export const crossIndustryInvoice = (of: ElectronicInvoice): string => {
  const { invoice, lines } = of
  const amount = amounts(of.currency)
  return xmlDocument(
    element(
      "rsm:CrossIndustryInvoice",
      [
        element("rsm:ExchangedDocumentContext", [
          ram("GuidelineSpecifiedDocumentContextParameter", [ram("ID", "urn:cen.eu:en16931:2017")])
        ]),
        element("rsm:ExchangedDocument", [
          ram("ID", invoice.number),
          ram("TypeCode", of.type),
          ram("IssueDateTime", [dayOf(invoice.issuedOn)])
        ]),
        element("rsm:SupplyChainTradeTransaction", [
          ...lines.map((line, index) => lineItem(line, index + 1, amount)),
          agreement(of),
          ram("ApplicableHeaderTradeDelivery", []),
          settlement(of, amount)
        ])
      ],
      namespaces
    )
  )
}

type AmountText = (minor: number) => string

/** Minor units as a decimal numeral, by the decimals of the currency. */
const amounts = (currency: string): AmountText => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency })
  const { maximumFractionDigits: decimals = 2 } = format.resolvedOptions()
  return (minor) => {
    const digits = String(Math.abs(minor)).padStart(decimals + 1, "0")
    const whole = digits.slice(0, digits.length - decimals)
    const sign = minor < 0 ? "-" : ""
    return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
  }
}

/** Format 102 is a day of the calendar: 20260301. */
const dayOf = (day: string): Element =>
  element("udt:DateTimeString", day.replaceAll("-", ""), { format: "102" })

const period = (start: string, end: string): Element =>
  ram("BillingSpecifiedPeriod", [
    ram("StartDateTime", [dayOf(start)]),
    ram("EndDateTime", [dayOf(end)])
  ])

const exempt = [ram("TypeCode", "VAT"), ram("CategoryCode", "E"), ram("RateApplicablePercent", "0")]

/** One of it (UN/ECE Recommendation 20: C62), at its net premium; what is taken off is −1 of it. */
const lineItem = (line: ElectronicLine, number: number, amount: AmountText): Element =>
  ram("IncludedSupplyChainTradeLineItem", [
    ram("AssociatedDocumentLineDocument", [ram("LineID", String(number))]),
    ram("SpecifiedTradeProduct", [ram("Name", line.label)]),
    ram("SpecifiedLineTradeAgreement", [
      // A price is never below 0 (BR-27).
      ram("NetPriceProductTradePrice", [ram("ChargeAmount", amount(Math.abs(line.net)))])
    ]),
    ram("SpecifiedLineTradeDelivery", [
      ram("BilledQuantity", line.net < 0 ? "-1" : "1", { unitCode: "C62" })
    ]),
    ram("SpecifiedLineTradeSettlement", [
      ram("ApplicableTradeTax", exempt),
      period(line.periodStart, line.periodEnd),
      ram("SpecifiedTradeSettlementLineMonetarySummation", [
        ram("LineTotalAmount", amount(line.net))
      ])
    ])
  ])

const agreement = ({ buyer, buyerCountry, contract, seller }: ElectronicInvoice): Element => {
  const { registered, vatId, ...address } = seller.seller
  const siret = buyer.fields.find(({ key }) => key === "siret")?.value
  const isSiret = typeof siret === "string" && /^\d{14}$/u.test(siret)
  return ram("ApplicableHeaderTradeAgreement", [
    ram("SellerTradeParty", [
      ram("Name", seller.name),
      ram("SpecifiedLegalOrganization", [
        ram("ID", registered.number, { schemeID: registered.scheme })
      ]),
      postalAddress(address, address.country),
      ram("SpecifiedTaxRegistration", [ram("ID", vatId, { schemeID: "VA" })])
    ]),
    ram("BuyerTradeParty", [
      // ISO/IEC 6523: 0009 is the SIRET of an establishment, 0002 the SIREN of its company.
      isSiret ? ram("GlobalID", siret, { schemeID: "0009" }) : undefined,
      ram("Name", buyer.name),
      isSiret
        ? ram("SpecifiedLegalOrganization", [ram("ID", siret.slice(0, 9), { schemeID: "0002" })])
        : undefined,
      postalAddress(buyer.postal ?? {}, buyerCountry),
      buyer.email === undefined
        ? undefined
        : ram("URIUniversalCommunication", [ram("URIID", buyer.email, { schemeID: "EM" })])
    ]),
    ram("ContractReferencedDocument", [ram("IssuerAssignedID", contract)])
  ])
}

interface Address {
  readonly street?: string
  readonly postalCode?: string
  readonly city?: string
}

const postalAddress = ({ city, postalCode, street }: Address, country: string): Element =>
  ram("PostalTradeAddress", [
    optional("PostcodeCode", postalCode),
    optional("LineOne", street),
    optional("CityName", city),
    ram("CountryID", country)
  ])

const optional = (name: string, text: string | undefined): Element | undefined =>
  text === undefined ? undefined : ram(name, text)

const settlement = (of: ElectronicInvoice, amount: AmountText): Element => {
  const { allowances, charges, currency, invoice, seller, sums } = of
  const levy = (isCharge: boolean) => (one: ElectronicLevy) =>
    ram("SpecifiedTradeAllowanceCharge", [
      ram("ChargeIndicator", [element("udt:Indicator", String(isCharge))]),
      ram("ActualAmount", amount(one.amount)),
      ram("Reason", one.name),
      ram("CategoryTradeTax", exempt)
    ])
  return ram("ApplicableHeaderTradeSettlement", [
    ram("PaymentReference", invoice.number),
    ram("InvoiceCurrencyCode", currency),
    payment(of),
    ram("ApplicableTradeTax", [
      ram("CalculatedAmount", amount(0)),
      ram("TypeCode", "VAT"),
      ram("ExemptionReason", seller.vatExemption.reason),
      ram("BasisAmount", amount(sums.total)),
      ram("CategoryCode", "E"),
      ram("ExemptionReasonCode", seller.vatExemption.code),
      ram("RateApplicablePercent", "0")
    ]),
    period(invoice.periodStart, invoice.periodEnd),
    ...allowances.map(levy(false)),
    ...charges.map(levy(true)),
    ram("SpecifiedTradePaymentTerms", [ram("DueDateDateTime", [dayOf(invoice.dueOn)])]),
    ram("SpecifiedTradeSettlementHeaderMonetarySummation", [
      ram("LineTotalAmount", amount(sums.lines)),
      ram("ChargeTotalAmount", amount(sums.charges)),
      ram("AllowanceTotalAmount", amount(sums.allowances)),
      ram("TaxBasisTotalAmount", amount(sums.total)),
      ram("TaxTotalAmount", amount(0), { currencyID: currency }),
      ram("GrandTotalAmount", amount(sums.total)),
      ram("TotalPrepaidAmount", amount(sums.settled)),
      ram("DuePayableAmount", amount(sums.due))
    ]),
    invoice.creditedNumber === undefined
      ? undefined
      : ram("InvoiceReferencedDocument", [ram("IssuerAssignedID", invoice.creditedNumber)])
  ])
}

/** UNTDID 4461: 30 is a transfer, 59 a SEPA direct debit. Nothing where nothing is due. */
const payment = ({ invoice, seller }: ElectronicInvoice): Element | undefined => {
  switch (invoice.payment) {
    case "NOTHING_DUE":
      return undefined
    case "DIRECT_DEBIT":
      return ram("SpecifiedTradeSettlementPaymentMeans", [ram("TypeCode", "59")])
    case "BANK_TRANSFER":
      return ram("SpecifiedTradeSettlementPaymentMeans", [
        ram("TypeCode", "30"),
        ram("PayeePartyCreditorFinancialAccount", [ram("IBANID", seller.iban)])
      ])
  }
}
