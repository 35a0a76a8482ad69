//! The web interface is built before it can be embedded.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if cfg!(feature = "web") {
        println!("cargo:rerun-if-changed=../web/dist");
        assert!(
            std::path::Path::new("../web/dist/index.html").exists(),
            "web/dist is missing: run scripts/web.sh, or build without the feature `web`"
        );
    }
}
