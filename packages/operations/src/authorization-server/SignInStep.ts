/** What is asked and answered between the password and the code, as data. */
import type { AuthorizationRequest } from "@quittance/domain/tokens/AuthorizationRequest"
import type { AttemptStage } from "@quittance/domain/tokens/SignInAttempt"
import type { SecondFactor } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import type { Enrolment, Proof } from "./FactorProofs.ts"

/** How a sign-in goes on: with the code for the client, or with a question under this secret. */
export type SignInStep =
  | { readonly _tag: "Code"; readonly code: string; readonly request: AuthorizationRequest }
  | { readonly _tag: "Question"; readonly secret: string; readonly said?: Said }

/** What the next page says besides. */
export interface Said {
  readonly problem?: string
  /** New recovery codes: shown once. */
  readonly codes?: ReadonlyArray<string>
}

/** What a user sends from the page. */
export type SignInAnswer =
  | { readonly _tag: "Prove"; readonly proof: Proof }
  | { readonly _tag: "Enrol"; readonly enrolment: Enrolment }
  | { readonly _tag: "Remove"; readonly factorId: string }
  | { readonly _tag: "NewCodes" }
  | { readonly _tag: "GoOn" }

/** What the page of a sign-in shows. */
export interface SignInView {
  readonly stage: AttemptStage
  readonly request: AuthorizationRequest | undefined
  readonly factors: ReadonlyArray<SecondFactor>
  readonly codesLeft: number
  /** What the browser asks a passkey: to sign or, where one is to be added, to be made. */
  readonly passkey: object
  /** The app that is offered, where one is to be added. */
  readonly app: { readonly secret: string; readonly uri: string } | undefined
}

/** What may be answered when. */
export const fits = (stage: AttemptStage, { _tag }: SignInAnswer): boolean => {
  switch (stage) {
    case "PROVE":
      return _tag === "Prove"
    case "ENROL":
      return _tag === "Enrol"
    case "DONE":
      return _tag === "GoOn"
    case "MANAGE":
      return _tag === "Enrol" || _tag === "Remove" || _tag === "NewCodes"
  }
}

/** The question again, after a wrong answer. */
export const wrong = (secret: string): SignInStep => ({
  _tag: "Question",
  secret,
  said: { problem: "That was not right. Try again with a new code, or with another way." }
})

/** Why a factor stays. */
export const needed: Said = {
  problem: "Your work needs a second factor. Add another one before you remove this one."
}
