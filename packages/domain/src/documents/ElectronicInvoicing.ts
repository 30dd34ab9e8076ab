/** What an electronic invoice says of its seller, besides the words of the template. */
import { Schema } from "effect"

/** Part of a template: with it, invoices and credit notes to companies are Factur-X. */
export const ElectronicInvoicing = Schema.Struct({
  /** Who sells, with their numbers; their name is that of the tenant. */
  seller: Schema.Struct({
    /** Their number in a register, and that register by ISO/IEC 6523: 0002 is the SIREN. */
    registered: Schema.Struct({
      scheme: Schema.String.check(
        Schema.isPattern(/^\d{4}$/u, { message: "Expected four digits, as in ISO/IEC 6523: 0002" })
      ),
      number: Schema.NonEmptyString.check(Schema.isMaxLength(40))
    }),
    vatId: Schema.String.check(
      Schema.isPattern(/^[A-Z]{2}[0-9A-Z+*.]{2,12}$/u, {
        message: "Expected a VAT identifier that begins with its country: FR40123456789"
      })
    ),
    street: Schema.NonEmptyString,
    postalCode: Schema.NonEmptyString,
    city: Schema.NonEmptyString,
    /** ISO 3166-1, two letters. */
    country: Schema.String.check(
      Schema.isPattern(/^[A-Z]{2}$/u, { message: "Expected a country in two capitals: FR" })
    )
  }),
  /** The account that transfers go to, without spaces. */
  iban: Schema.String.check(
    Schema.isPattern(/^[A-Z]{2}\d{2}[0-9A-Z]{8,30}$/u, {
      message: "Expected an IBAN without spaces"
    })
  ),
  /** Why premiums bear no VAT: a code of the list VATEX, and the same in words. */
  vatExemption: Schema.Struct({
    code: Schema.String.check(
      Schema.isPattern(/^VATEX-[A-Z0-9-]+$/u, {
        message: "Expected a code of the list VATEX: VATEX-FR-CGI261C-2"
      })
    ),
    reason: Schema.NonEmptyString
  })
}).annotate({ identifier: "ElectronicInvoicing" })
export type ElectronicInvoicing = typeof ElectronicInvoicing.Type
