import { SignIn } from "@quittance/domain/tokens/SignIn"
import { Page } from "@quittance/domain/values/Page"

/** One page of the sign-ins of a person. */
export const SignInPage = Page(SignIn).annotate({ identifier: "SignInPage" })
