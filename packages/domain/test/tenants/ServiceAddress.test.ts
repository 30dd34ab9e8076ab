import { assert, describe, it } from "@effect/vitest"
import { authUrlFault, baseUrlFault } from "../../src/tenants/ServiceAddress.ts"

describe("the addresses of the service", () => {
  it.each(["https://{tenant}.auth.example.com", "https://{tenant}.auth-2.example.com:8443"])(
    "takes the authorization servers at %s",
    (text) => {
      assert.isUndefined(authUrlFault(text, "production"))
      assert.include(authUrlFault(text, "sandbox"), "http outside production")
      assert.isUndefined(authUrlFault(text.replace("https", "http"), "sandbox"))
      assert.include(
        authUrlFault(text.replace("https", "http"), "production"),
        "https in production"
      )
    }
  )

  it.each([
    "",
    "auth.example.com",
    "https://auth.example.com",
    "https://{tenant}",
    "https://{tenant}.",
    "https://{tenant}..example.com",
    "https://{tenant}.-x.example.com",
    "https://{tenant}.example.com/",
    "https://{tenant}.example.com/path",
    "https://{tenant}.example.com:99999",
    "https://{tenant}.example.com:0",
    "https://{tenant}.EXAMPLE.com",
    "https://x.{tenant}.example.com",
    "https://a@{tenant}.example.com",
    "ftp://{tenant}.example.com"
  ])("refuses the authorization servers at “%s”, and shows an address", (text) => {
    for (const environment of ["production", "sandbox"] as const) {
      assert.match(authUrlFault(text, environment) ?? "", /^Expected an address such as http/)
    }
  })

  it.each(["https://api.example.com", "https://api.example.com/", "https://example.com:8443/v1"])(
    "takes the interface at %s",
    (text) => {
      assert.isUndefined(baseUrlFault(text, "production"))
      assert.isUndefined(baseUrlFault(text.replace("https", "http"), "development"))
      assert.include(
        baseUrlFault(text.replace("https", "http"), "production"),
        "https in production"
      )
      assert.include(baseUrlFault(text, "development"), "http outside production")
    }
  )

  it.each([
    "",
    "api",
    "ftp://api.example.com",
    "https://",
    "https:api.example.com",
    "https://api.example.com?x=1",
    "https://api.example.com#x",
    "https://user:secret@api.example.com",
    "https://api.example.com:99999",
    "https://api..example.com",
    "https://api.example.com/ x",
    "javascript:alert(1)"
  ])("refuses the interface at “%s”", (text) => {
    assert.match(baseUrlFault(text, "production") ?? "", /^Expected an address such as https:/)
  })
})
