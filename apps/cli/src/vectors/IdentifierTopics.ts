import { IdentifierKind, isValid } from "@quittance/identifiers/Identifier"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

export const identifierTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "identifiers",
    topic(Schema.Struct({ kind: IdentifierKind, value: Schema.String }), ({ kind, value }) => ({
      valid: isValid(kind, value)
    }))
  ]
]
