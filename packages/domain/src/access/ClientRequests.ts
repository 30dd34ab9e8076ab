/** What requests about clients of the authorization server say. */
import { Schema } from "effect"
import { Scope } from "../requests/Caller.ts"
import { Text } from "../values/Text.ts"
import { ChosenClientId, ClientKind, GrantType, RedirectUri } from "./Client.ts"
import { ClientKeys } from "./ClientKey.ts"

const NewClient = Schema.Struct({
  clientId: Schema.optionalKey(ChosenClientId),
  name: Text,
  scopes: Schema.Array(Scope).check(Schema.isMaxLength(100).abort(), Schema.isUnique()),
  kind: Schema.optionalKey(ClientKind),
  grantTypes: Schema.optionalKey(
    Schema.Array(GrantType).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(10).abort(),
      Schema.isUnique()
    )
  ),
  redirectUris: Schema.optionalKey(
    Schema.Array(RedirectUri).check(Schema.isMaxLength(20).abort(), Schema.isUnique())
  )
})

/**
 * Members that contradict each other: a public client has no grant of its own, and a sign-in needs a redirect
 * URI.
 */
const faultsOf = ({ grantTypes, kind, redirectUris = [], scopes }: typeof NewClient.Type) => {
  const isPublic = kind === "PUBLIC"
  const signsIn = grantTypes?.includes("authorization_code") ?? isPublic
  return [
    ...(isPublic && grantTypes?.includes("client_credentials") === true
      ? [{ path: ["grantTypes"], issue: "A public client has no credentials of its own" }]
      : []),
    ...(isPublic && scopes.length > 0
      ? [{ path: ["scopes"], issue: "A public client acts for people, who go by their grants" }]
      : []),
    ...(grantTypes?.includes("refresh_token") === true && !signsIn
      ? [{ path: ["grantTypes"], issue: "A refresh token needs authorization_code beside it" }]
      : []),
    ...(signsIn === redirectUris.length > 0
      ? []
      : [
          {
            path: ["redirectUris"],
            issue: "Expected addresses with authorization_code, and only then"
          }
        ])
  ]
}

/** Confidential and acting for itself, unless it is said otherwise. */
export const CreateClient = NewClient.check(Schema.makeFilter(faultsOf)).annotate({
  identifier: "CreateClient"
})
export type CreateClient = typeof CreateClient.Type

/** The whole set of keys: those that are left out count no more. */
export const PutClientKeys = Schema.Struct({ keys: ClientKeys }).annotate({
  identifier: "PutClientKeys"
})
export type PutClientKeys = typeof PutClientKeys.Type
