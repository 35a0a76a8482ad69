//! A type for each permission, so that a handler's signature names what it demands.

use shared::domain::permissions::Permission;

/// What a handler demands.
pub trait Policy: Send + Sync + 'static {
    /// The permission.
    const PERMISSION: Permission;
}

macro_rules! policies {
    ($($name:ident),+ $(,)?) => {$(
        #[doc = concat!("Demands [`Permission::", stringify!($name), "`].")]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Policy for $name {
            const PERMISSION: Permission = Permission::$name;
        }
    )+};
}

policies! {
    AgentUse,
    AgentView,
    AgentCreate,
    AgentEdit,
    AgentDelete,
    AgentShare,
    ModelView,
    ModelCreate,
    ModelEdit,
    ModelDelete,
    SessionView,
    SessionChat,
    SessionEdit,
    QueueView,
    UserView,
    UserManage,
    KeyOwn,
    AuditView,
    TenantManage,
}
