// Which version the server is, as its OpenAPI document says.

export async function serverVersion(): Promise<string | undefined> {
  try {
    const answer = await fetch('/openapi.json', { headers: { accept: 'application/json' } })
    const document = (await answer.json()) as { info?: { version?: string } }
    return document.info?.version
  } catch {
    return undefined
  }
}
