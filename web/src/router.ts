// Which address shows what. Each page is loaded when it is first asked for.
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'

const entry = { meta: { open: true } }

export const routes: RouteRecordRaw[] = [
  { path: '/', redirect: '/chat' },
  { path: '/setup', name: 'setup', component: () => import('@/features/entry/views/SetupView.vue'), ...entry },
  { path: '/login', name: 'login', component: () => import('@/features/entry/views/LoginView.vue'), ...entry },
  { path: '/chat', name: 'new-chat', component: () => import('@/features/chat/views/ChatView.vue') },
  { path: '/chat/:session', name: 'chat', component: () => import('@/features/chat/views/ChatView.vue'), props: true },
  { path: '/agents', name: 'agents', component: () => import('@/features/agents/views/AgentsView.vue') },
  { path: '/agents/:id', name: 'agent', component: () => import('@/features/agents/views/AgentView.vue'), props: true },
  { path: '/inbox', name: 'inbox', component: () => import('@/features/inbox/views/InboxView.vue') },
  {
    path: '/settings',
    component: () => import('@/features/settings/views/SettingsView.vue'),
    children: [
      { path: '', redirect: '/settings/appearance' },
      { path: ':section', name: 'settings', component: () => import('@/features/settings/views/SettingsSection.vue'), props: true },
    ],
  },
  { path: '/:rest(.*)*', name: 'not-found', component: () => import('@/features/shell/views/NotFoundView.vue') },
]

export const router = createRouter({ history: createWebHistory(), routes })
