// The texts of this language that every page may need: a file's name is its namespace.
const files = import.meta.glob<{ default: Record<string, unknown> }>(['./*.json', '!./agents.json', '!./settings.json'], { eager: true })

export default Object.fromEntries(
  Object.entries(files).map(([path, file]) => [path.slice(2, -'.json'.length), file.default]),
)
export { default as element } from 'element-plus/es/locale/lang/zh-cn'
