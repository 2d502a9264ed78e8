"""Do tasks on this machine, in threads: kernels release the interpreter's lock."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from movfair_spark.kernels.parity.tasks import Task, blocks

#: A block is about this long; shorter ones only cost overhead.
BLOCK_SECONDS = 0.25


def run_local(tasks: list[Task]) -> list[np.ndarray]:
    """Answers of all tasks, each joined over its blocks in order."""
    work = blocks(tasks, BLOCK_SECONDS)
    parts: list[list[np.ndarray]] = [[] for _ in tasks]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for block, answer in zip(
            work, pool.map(lambda b: tasks[b.task].run(b.first, b.last), work), strict=True
        ):
            parts[block.task].append(answer)
    return [task.join(answers) for task, answers in zip(tasks, parts, strict=True)]
