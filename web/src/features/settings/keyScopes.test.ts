// Scopes of a key to the choices of its form, and back.
import { expect, test } from 'vitest'
import { choiceOf, scopesOf } from './keyScopes'

test.each([[['*']], [['read']], [['chat']], [['chat:3', 'chat:7']], [['chat', 'read']], [['chat:3', 'crew:2:run']]])('%j stays as it is', (scopes) => {
  expect(scopesOf(choiceOf(scopes)).sort()).toEqual([...scopes].sort())
})

test('some agents are told by their numbers', () => {
  expect(choiceOf(['chat:3', 'chat:12'])).toEqual({ kind: 'agents', agentIds: [3, 12], others: [] })
})
