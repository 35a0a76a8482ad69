// Which address shows what. Each page is loaded when it is first asked for.
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import type { LateTexts } from './i18n'

declare module 'vue-router' {
  interface RouteMeta {
    /** Shown without a login, and without the frame. */
    open?: boolean
    /** The text that names the page in the browser's title. */
    title?: string
    /** What one must be allowed to see the page. */
    permission?: string
    /** Texts that the page needs besides those of all pages. */
    texts?: LateTexts
  }
}

export const routes: RouteRecordRaw[] = [
  { path: '/', redirect: '/chat' },
  {
    path: '/setup',
    name: 'setup',
    component: () => import('@/features/entry/views/SetupView.vue'),
    meta: { open: true, title: 'shell.titles.setup', texts: 'settings' },
  },
  {
    path: '/login',
    name: 'login',
    component: () => import('@/features/entry/views/LoginView.vue'),
    meta: { open: true, title: 'shell.titles.login' },
  },
  {
    path: '/chat',
    name: 'new-chat',
    component: () => import('@/features/chat/views/ChatView.vue'),
    meta: { title: 'shell.places.chat', permission: 'session:view' },
  },
  {
    path: '/chat/:session',
    name: 'chat',
    component: () => import('@/features/chat/views/ChatView.vue'),
    props: true,
    meta: { title: 'shell.places.chat', permission: 'session:view' },
  },
  {
    path: '/agents',
    name: 'agents',
    component: () => import('@/features/agents/views/AgentsView.vue'),
    meta: { title: 'shell.places.agents', permission: 'agent:use', texts: 'agents' },
  },
  {
    path: '/agents/:id',
    name: 'agent',
    component: () => import('@/features/agents/views/AgentView.vue'),
    props: true,
    meta: { title: 'shell.places.agents', permission: 'agent:use', texts: 'agents' },
  },
  {
    path: '/inbox',
    name: 'inbox',
    component: () => import('@/features/inbox/views/InboxView.vue'),
    meta: { title: 'shell.places.inbox', permission: 'session:view' },
  },
  {
    path: '/settings',
    component: () => import('@/features/settings/views/SettingsView.vue'),
    meta: { title: 'shell.titles.settings', texts: 'settings' },
    children: [
      { path: '', redirect: '/settings/appearance' },
      { path: ':section', name: 'settings', component: () => import('@/features/settings/views/SettingsSection.vue'), props: true },
    ],
  },
  {
    path: '/:rest(.*)*',
    name: 'not-found',
    component: () => import('@/features/shell/views/NotFoundView.vue'),
    meta: { title: 'shell.titles.notFound' },
  },
]

export const router = createRouter({ history: createWebHistory(), routes })
