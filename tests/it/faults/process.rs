//! The process itself: who else may work on its folder, and how it ends when nobody reads its output.

use crate::harness::client::LONG;
use crate::harness::process::{Env, command, free_port, signal};
use crate::harness::wait::eventually;
use std::path::PathBuf;
use std::process::{Child, Stdio};

/// A standalone with a folder of its own; killed and removed with it.
struct Alone {
    folder: PathBuf,
    port: u16,
    child: Child,
}

impl Alone {
    fn env(folder: &std::path::Path, port: u16) -> Env {
        let data = folder.display().to_string();
        vec![("NETA_DATA".into(), data), ("NETA_LISTEN".into(), format!("127.0.0.1:{port}"))]
    }

    /// Started with pipes for its output, whose other ends are closed at once.
    async fn with_closed_output() -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(uuid::Uuid::now_v7().to_string());
        let port = free_port();
        let mut child = command(&Self::env(&folder, port))
            .arg("up")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop((child.stdout.take(), child.stderr.take()));
        let alone = Self { folder, port, child };
        let url = format!("http://127.0.0.1:{port}/readyz");
        let http = crate::harness::client::http();
        eventually("it is ready", LONG, async || {
            http.get(&url).send().await.is_ok_and(|r| r.status().is_success())
        })
        .await;
        alone
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_whose_output_nobody_reads_serves_and_ends() {
    let mut alone = Alone::with_closed_output().await;
    signal(alone.child.id(), "TERM");
    eventually("it ends", LONG, async || alone.child.try_wait().is_ok_and(|ended| ended.is_some())).await;
    assert!(alone.child.wait().expect("a child").success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_folder_has_one_process() {
    let mut alone = Alone::with_closed_output().await;
    let second = command(&Alone::env(&alone.folder, free_port())).arg("up").output().expect("it runs");
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another `neta up` works on the data folder"), "{said}");
    // The lock does not outlive its holder, however that ends.
    let _ = alone.child.kill();
    let _ = alone.child.wait();
    let folder = alone.folder.clone();
    alone.child = command(&Alone::env(&folder, alone.port))
        .arg("up")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let url = format!("http://127.0.0.1:{}/readyz", alone.port);
    let http = crate::harness::client::http();
    eventually("it is ready again", LONG, async || {
        http.get(&url).send().await.is_ok_and(|r| r.status().is_success())
    })
    .await;
}
