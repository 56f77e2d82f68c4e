//! Jobs on the workers of a Dask scheduler: runs `cluster/test_run.py`, which needs Python with the
//! packages of `cluster/requirements.txt`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{python_with, wait_for_output};

#[test]
fn a_cluster_loses_no_shard_and_reports_failures() {
    let variables = ["CROSSPATH_CLUSTER_PYTHON", "CROSSPATH_PYTHON"];
    let Some(python) = python_with("distributed", &variables) else { return };
    let mut tests = Command::new(python);
    tests.arg("cluster/test_run.py").env("CROSSPATH", env!("CARGO_BIN_EXE_crosspath"));
    tests.current_dir(Path::new(env!("CARGO_MANIFEST_DIR"))).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = wait_for_output(tests.spawn().unwrap());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("\nRan "), "{stderr}");
}

/// Checks a missing job file, which is reported in one sentence even without Dask.
#[test]
fn arguments_are_checked_before_dask_is_imported() {
    let Some(python) = python_with("argparse", &["CROSSPATH_PYTHON"]) else { return };
    let mut run = Command::new(python);
    run.args(["cluster/run.py", "tcp://127.0.0.1:1", "--binary", env!("CARGO_BIN_EXE_crosspath")]);
    run.args(["--job", "no/job.json", "--shards", "2", "--out", env!("CARGO_TARGET_TMPDIR")]);
    let output = run.current_dir(Path::new(env!("CARGO_MANIFEST_DIR"))).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "error: cannot read no/job.json: No such file or directory\n");
}
