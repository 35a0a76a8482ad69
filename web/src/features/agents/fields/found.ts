// What a search in a picker finds.
export interface Item {
  id: number
  name: string
  note?: string
  icon?: string
}
export interface Found {
  items: Item[]
  nextCursor?: string
}
