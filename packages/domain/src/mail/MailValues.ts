/** Money and days as letters write them. */
import { type LocalDate, toEpochDay } from "../values/LocalDate.ts"

/** Money in its own decimals: each currency has as many as `Intl` knows. */
export const amountText = (minor: number, currency: string, locale: string): string => {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(minor / 10 ** maximumFractionDigits)
}

export const dayText = (day: LocalDate, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    toEpochDay(day) * 86_400_000
  )
