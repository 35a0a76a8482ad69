//! What the tests of the whole application stand on: services, processes, clients, a bad network, and
//! the checker of what must hold afterwards.

pub mod calls;
pub mod card;
pub mod client;
pub mod cluster;
pub mod completions;
pub mod delegation;
pub mod invariants;
pub mod people;
pub mod process;
pub mod provider;
pub mod proxy;
pub mod reader;
pub mod reply;
pub mod services;
pub mod transcript;
pub mod trees;
pub mod wait;

/// Makes two tests of each flow: on the standalone, and on a cluster of two doors and two engines.
macro_rules! on_both {
    ($($flow:ident),+ $(,)?) => {
        mod standalone {
            use crate::harness::cluster::{Cluster, Kind};
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $flow() {
                super::$flow(Cluster::start(Kind::Standalone).await).await;
            })+
        }
        mod cluster {
            use crate::harness::cluster::{Cluster, Kind};
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $flow() {
                super::$flow(Cluster::start(Kind::PAIR).await).await;
            })+
        }
    };
}
pub(crate) use on_both;
