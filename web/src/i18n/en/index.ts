// All texts of this language: a file's name is its namespace.
const files = import.meta.glob<{ default: Record<string, unknown> }>('./*.json', { eager: true })

export default Object.fromEntries(
  Object.entries(files).map(([path, file]) => [path.slice(2, -'.json'.length), file.default]),
)
