"""A real standalone cluster on this machine: one master and two workers, from the pip package."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark

from movfair_spark.session.java import find_java
from movfair_spark.session.static import submit_arguments
from scripts.make_zip import make

ROOT = Path(__file__).resolve().parents[2]
SPARK_HOME = Path(pyspark.__file__).parent
#: Short-lived processes that share few processors: no optimising compiler, no threads of the collector.
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
WAIT_S = 300.0
LIMIT_S = 1_800.0  # an audit takes a minute; a machine under load, ten times that


def wait_for(what: str, ask: Callable[[], Any], *, seconds: float = WAIT_S, every: float = 0.1) -> Any:
    """Ask until the answer is true; a bounded wait."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = ask()
        if answer:
            return answer
        time.sleep(every)
    raise TimeoutError(f"no {what} after {seconds:g} s")


def get(url: str) -> Any:
    """JSON of a page, or None when it is not there (yet)."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.loads(answer.read())
    except (urllib.error.URLError, OSError, ValueError):
        return None


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment_without_package(folder: Path) -> Path:
    """Make a Python with all dependencies of this one, but without movfair_spark; gives its executable."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    target = folder / "lib" / version / "site-packages"
    for entry in (Path(sys.prefix) / "lib" / version / "site-packages").iterdir():
        if "movfair" not in entry.name and entry.name != "__pycache__":
            (target / entry.name).symlink_to(entry)
    python = folder / "bin" / "python"
    code = "import importlib.util as u; assert u.find_spec('pyspark') and not u.find_spec('movfair_spark')"
    subprocess.run([str(python), "-c", code], check=True, cwd=folder)
    return python


class Cluster:
    """Master and workers as processes, with all that they write under one temporary folder.

    ``bound`` gives each worker and its executors a processor of their own.
    """

    def __init__(self, folder: Path, python: Path, *, workers: int = 2, bound: bool = False) -> None:
        self.folder = folder
        self.events = folder / "events"
        self._processes: list[subprocess.Popen[bytes]] = []
        for name in ("conf", "logs", "local", "work", "events"):
            (folder / name).mkdir(parents=True)
        self.env = {
            **{key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SPARK_HOME")},
            "SPARK_HOME": str(SPARK_HOME),
            "JAVA_HOME": str(find_java().home),
            "SPARK_CONF_DIR": str(folder / "conf"),
            "SPARK_LOG_DIR": str(folder / "logs"),
            "SPARK_LOCAL_DIRS": str(folder / "local"),
            "SPARK_WORKER_DIR": str(folder / "work"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": str(python),
            "PYSPARK_DRIVER_PYTHON": str(python),
            "SPARK_DAEMON_JAVA_OPTS": QUICK_JVM,
            "SPARK_DAEMON_MEMORY": "300m",
            "MOVFAIR_LOG": str(folder / "logs" / "driver.log"),
        }
        port, page = free_port(), free_port()
        self.master = f"spark://127.0.0.1:{port}"
        package = "org.apache.spark.deploy"
        self._start(f"{package}.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", page)
        state = f"http://127.0.0.1:{page}/json/"
        wait_for("master", lambda: get(state))
        for number in range(workers):
            bind = ("taskset", "--cpu-list", str(number)) if bound else ()
            options = ("--host", "127.0.0.1", "--cores", 1, "--memory", "1g", "--webui-port", free_port())
            self._start(f"{package}.worker.Worker", *options, self.master, bind=bind)
        wait_for("workers", lambda: (get(state) or {}).get("aliveworkers") == workers)

    def submit(
        self,
        job: str | Path,
        *arguments: str,
        settings: dict[str, str] | None = None,
        installed: bool = False,
    ) -> subprocess.Popen[bytes]:
        """Start ``spark-submit jobs/JOB.py``, or another script, from an empty folder.

        The package travels as --py-files, or is ``installed`` in the Python of the cluster.
        """
        source = job if isinstance(job, Path) else ROOT / "jobs" / f"{job}.py"
        here = self.folder / f"submit-{time.monotonic_ns()}"
        here.mkdir()
        script = here / source.name
        script.write_bytes(source.read_bytes())
        options = {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.dir": self.events.as_uri(),
            "spark.executor.memory": "700m",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.extraJavaOptions": QUICK_JVM,
            # An installed package keeps compiled kernels beside itself; in a zip it cannot.
            "spark.executorEnv.NUMBA_CACHE_DIR": "" if installed else str(self.folder / "numba"),
            **(settings or {}),
        }
        command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", self.master]
        command += submit_arguments(memory="1g", log4j2=ROOT / "conf" / "log4j2.properties")
        command += [word for key, value in options.items() for word in ("--conf", f"{key}={value}")]
        command += [] if installed else ["--py-files", str(make(self.folder))]
        command += [str(script), *arguments]
        process = subprocess.Popen(
            command, cwd=here, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._processes.append(process)
        return process

    def executor_process(self, application: str, executor: str) -> int:
        """Process id of an executor of one of our applications."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            options = dict(zip(words, words[1:], strict=False))
            if options.get("--app-id") == application and options.get("--executor-id") == executor:
                return int(entry.name)
        raise LookupError(f"no process of executor {executor}")

    def event_log(self, application: str) -> list[dict[str, Any]]:
        """Events of an application that has ended."""
        lines = (self.events / application).read_text().splitlines()
        return [json.loads(line) for line in lines]

    def stop(self) -> None:
        """End what was started here, the youngest first."""
        for process in reversed(self._processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in reversed(self._processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def _start(self, name: str, *options: object, bind: tuple[str, ...] = ()) -> None:
        command = [*bind, str(SPARK_HOME / "bin" / "spark-class"), name, *(str(option) for option in options)]
        log = (self.folder / "logs" / f"{name.rsplit('.', 1)[1]}-{len(self._processes)}.log").open("wb")
        with log:
            self._processes.append(
                subprocess.Popen(command, env=self.env, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)
            )
