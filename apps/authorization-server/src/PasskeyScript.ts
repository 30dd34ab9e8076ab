/**
 * The only script of our pages: it hands what a form asks to the browser's passkeys and sends their
 * answer with the form. It is inlined, and the policy of its page allows its hash alone.
 */
export const passkeyScript = `
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", async (event) => {
    const field = form.elements.namedItem("credential")
    if (field.value !== "") return
    event.preventDefault()
    try {
      const asked = JSON.parse(form.dataset.options)
      const credential = form.dataset.passkey === "create"
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
      field.value = JSON.stringify(credential.toJSON())
      form.requestSubmit(event.submitter)
    } catch {
      form.querySelector("[role=status]").textContent = "The browser gave no passkey. Try again, or choose another way."
    }
  })
}
`
