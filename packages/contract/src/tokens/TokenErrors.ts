/** The errors of the area tokens on the wire. The last argument of each shows its details. */
import * as Password from "@quittance/domain/tokens/Password"
import * as SignIn from "@quittance/domain/tokens/SignIn"
import { exampleSecret } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const tokenErrors = {
  SignInNotFound: wireError(
    SignIn.SignInNotFound,
    404,
    "SIGN_IN_NOT_FOUND",
    "The person has no such sign-in, or it has ended.",
    { signInId: exampleSecret }
  ),
  WeakPassword: wireError(
    Password.WeakPassword,
    422,
    "WEAK_PASSWORD",
    "The password is too short, too long, too common, or made of the address.",
    { reason: "SHORT" }
  ),
  WrongPassword: wireError(
    Password.WrongPassword,
    422,
    "WRONG_PASSWORD",
    "The present password that was sent is wrong; this is on record, and counts as a guess."
  )
} as const
