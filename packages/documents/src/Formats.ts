/** Values of the document model as people read them, by the customs of a locale. */
import type { ModelField } from "@quittance/domain/documents/DocumentModel"
import type { ValueFormat } from "@quittance/domain/documents/DocumentTemplate"
import { word } from "./Words.ts"

export interface Customs {
  readonly locale: string
  readonly currency: string
  readonly timeZone: string
  /** What the template calls codes. */
  readonly labels: Readonly<Record<string, string>>
}

/** A value in words; `undefined` where it is none that the format shows. */
export const formatted = (
  value: unknown,
  format: ValueFormat,
  customs: Customs
): string | undefined => {
  switch (format) {
    case "text":
      return typeof value === "string" ? value : undefined
    case "date":
      return typeof value === "string" ? dateText(value, "numeric", customs) : undefined
    case "longDate":
      return typeof value === "string" ? dateText(value, "long", customs) : undefined
    case "dateTime":
      return typeof value === "string" ? instantText(value, customs) : undefined
    case "money":
      return typeof value === "number" ? moneyText(value, customs) : undefined
    case "percent":
      return typeof value === "number"
        ? new Intl.NumberFormat(customs.locale, {
            style: "percent",
            maximumFractionDigits: 2
          }).format(value / 100)
        : undefined
    case "number":
      return typeof value === "number" ? numberText(value, customs) : undefined
    case "label":
      return labelText(value, customs)
  }
}

/** What a field's value is called, or how it is written by its type; codes by their word. */
const labelText = (value: unknown, customs: Customs): string | undefined => {
  if (typeof value === "string") return codeText(value, customs)
  if (typeof value === "boolean") return codeText(value ? "YES" : "NO", customs)
  return isField(value) ? fieldText(value, customs) : undefined
}

const isField = (value: unknown): value is ModelField =>
  typeof value === "object" && value !== null && "key" in value && "type" in value

export const fieldText = (
  { text, type, value }: Pick<ModelField, "text" | "type" | "value">,
  customs: Customs
): string | undefined => {
  if (text !== undefined) return text
  switch (type) {
    case "BOOLEAN":
      return codeText(value === true ? "YES" : "NO", customs)
    case "DATE":
      return formatted(value, "date", customs)
    case "MONEY":
      return formatted(value, "money", customs)
    case "INTEGER":
    case "NUMBER":
      return formatted(value, "number", customs)
    default:
      return String(value)
  }
}

const codeText = (code: string, { labels, locale }: Customs): string | undefined =>
  Object.hasOwn(labels, code) ? labels[code] : word(code, locale)

/** A day, or the local day of an instant. */
const dateText = (
  text: string,
  month: "numeric" | "long",
  { locale, timeZone }: Customs
): string | undefined => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text)
  const millis = Date.parse(text)
  if (Number.isNaN(millis)) return undefined
  const written = new Intl.DateTimeFormat(locale, {
    timeZone: isDay ? "UTC" : timeZone,
    calendar: "gregory",
    year: "numeric",
    month: month === "long" ? "long" : "2-digit",
    day: month === "long" ? "numeric" : "2-digit"
  })
    .format(millis)
    // The day stays with its month.
    .replace(" ", "\u{A0}")
  // French writes the first of a month as an ordinal, which the tables of locales do not know.
  return locale.startsWith("fr") ? written.replace(/^1\u{A0}/u, "1er\u{A0}") : written
}

const instantText = (text: string, { locale, timeZone }: Customs): string | undefined => {
  const millis = Date.parse(text)
  if (Number.isNaN(millis)) return undefined
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    calendar: "gregory",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  }).format(millis)
}

/** Minor units as a decimal text, so that no amount goes through a float. */
const moneyText = (minor: number, { currency, locale }: Customs): string => {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, useGrouping: true })
  const { maximumFractionDigits: decimals = 2 } = format.resolvedOptions()
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const sign = minor < 0 ? "-" : ""
  const decimal = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
  // An optional sign, digits and a point are a decimal numeral.
  return minus(format.format(`${sign}${decimal}` as `${number}`))
}

const numberText = (value: number, { locale }: Customs): string =>
  minus(
    new Intl.NumberFormat(locale, { maximumFractionDigits: 6, useGrouping: true }).format(value)
  )

/** A hyphen is no sign: it is shorter than one, and a line may be broken after it. */
const minus = (text: string): string => text.replace("-", "\u{2212}")
