// Ids made in the browser. `crypto.randomUUID` is missing on pages that come over plain http.

let lastMs = 0
let counter = 0

/** A version 7 UUID: ids that one tab makes sort in the order in which it made them. */
export function newUuid(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  if (now > lastMs) {
    lastMs = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(lastMs / 2 ** (8 * (5 - i))) & 0xff
  bytes[6] = 0x70 | (counter >> 8)
  bytes[7] = counter & 0xff
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
