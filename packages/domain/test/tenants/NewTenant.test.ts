import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { TenantCurrency, TenantLocale, TenantName } from "../../src/tenants/NewTenant.ts"

describe("a new tenant", () => {
  it.each(["Acme Assurances", "É", "x".repeat(200)])("may be called %s", (name) =>
    assert.isTrue(Schema.is(TenantName)(name))
  )
  it.each(["", " ", " Acme", "Acme\nAssurances", "x".repeat(201), "x".repeat(5000)])(
    "may not be called “%s”",
    (name) => assert.isFalse(Schema.is(TenantName)(name))
  )

  it.each(["fr-FR", "de", "en-GB", "pt-BR"])("may speak %s", (locale) =>
    assert.isTrue(Schema.is(TenantLocale)(locale))
  )
  it.each(["", "zz_ZZ", "zz-ZZ", "fr_FR", "FR-fr", "french", "x".repeat(5000)])(
    "may not speak “%s”",
    (locale) => assert.isFalse(Schema.is(TenantLocale)(locale))
  )

  it.each(["EUR", "CHF", "JPY", "USD"])("may be paid in %s", (currency) =>
    assert.isTrue(Schema.is(TenantCurrency)(currency))
  )
  it.each(["", "XXZ", "XXX", "XTS", "eur", "EURO"])("may not be paid in “%s”", (currency) =>
    assert.isFalse(Schema.is(TenantCurrency)(currency))
  )
})
