"""Steps: attempts, records, reuse, --until and --from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from movfair_spark.errors import ConfigurationError, RunLockedError
from movfair_spark.runs import Attempt, Run, Step

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = ("stops", "cellsets", "evidence")


class Chain:
    """Three steps that each write their name and the result before; they note when they are done."""

    def __init__(self, source: str | None = "input-key", **parameters: int) -> None:
        self.done: list[str] = []
        self.source = source
        self.parameters = parameters

    def run(self, spark: SparkSession, folder: Path, **options: str) -> list:
        with Run(spark, str(folder), PLAN, **options) as run:
            key, results = self.source, []
            for name in PLAN[: run.length]:
                step = Step(
                    name=name,
                    version=1,
                    parameters=lambda name=name: {"p": self.parameters.get(name, 0)},
                    inputs=lambda key=key: [key],
                    work=lambda attempt, name=name: self._work(name, attempt),
                    publishes=(f"{name}.txt",),
                )
                results.append(run.execute(step))
                key = results[-1].key
            steps = [{"step": r.name, "attempt": r.folder.rsplit("/", 1)[1]} for r in results]
            run.publish({"steps": steps, "published": run.published_names()})
        return results

    def _work(self, name: str, attempt: Attempt) -> None:
        self.done.append(name)
        attempt.write_text(f"{name}.txt", f"{name} {self.parameters.get(name, 0)}")
        attempt.facts["x"] = 1.5


def test_everything_is_done_once_and_then_found(spark: SparkSession, tmp_path: Path) -> None:
    first, second = Chain(), Chain()
    first.run(spark, tmp_path)
    results = second.run(spark, tmp_path)
    assert (first.done, second.done) == (list(PLAN), [])
    assert [r.reused for r in results] == [True, True, True]
    assert results[2].facts == {"x": 1.5}


def test_a_change_redoes_the_step_and_those_after_it_only(spark: SparkSession, tmp_path: Path) -> None:
    Chain().run(spark, tmp_path)
    changed = Chain(cellsets=2)
    changed.run(spark, tmp_path)
    assert changed.done == ["cellsets", "evidence"]
    back = Chain()
    back.run(spark, tmp_path)
    assert back.done == []
    assert (tmp_path / "cellsets.txt").read_text() == "cellsets 0"


def test_a_dataframe_as_input_is_never_reused_and_leaves_one_attempt(
    spark: SparkSession, tmp_path: Path
) -> None:
    Chain(source=None).run(spark, tmp_path)
    second = Chain(source=None)
    results = second.run(spark, tmp_path)
    assert second.done == list(PLAN)
    assert [r.key for r in results] == [None, None, None]
    assert len(list((tmp_path / "steps" / "stops").iterdir())) == 1


def test_until_then_the_whole_does_only_the_rest(spark: SparkSession, tmp_path: Path) -> None:
    first, second = Chain(), Chain()
    first.run(spark, tmp_path, until="cellsets")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "cellsets.txt",
        "manifest.json",
        "steps",
        "stops.txt",
    ]
    second.run(spark, tmp_path)
    assert (first.done, second.done) == (["stops", "cellsets"], ["evidence"])


def test_until_after_the_whole_keeps_what_is_published(spark: SparkSession, tmp_path: Path) -> None:
    Chain().run(spark, tmp_path)
    Chain().run(spark, tmp_path, until="stops")
    assert (tmp_path / "evidence.txt").exists()
    assert len(json.loads((tmp_path / "manifest.json").read_text())["steps"]) == 3


def test_until_with_another_configuration_drops_what_no_longer_belongs(
    spark: SparkSession, tmp_path: Path
) -> None:
    Chain().run(spark, tmp_path)
    Chain(stops=1).run(spark, tmp_path, until="stops")
    assert not (tmp_path / "evidence.txt").exists()
    assert (tmp_path / "stops.txt").read_text() == "stops 1"


def test_from_does_its_step_and_those_after_it_again(spark: SparkSession, tmp_path: Path) -> None:
    Chain().run(spark, tmp_path)
    second = Chain()
    second.run(spark, tmp_path, start="cellsets")
    assert second.done == ["cellsets", "evidence"]


def test_from_needs_the_steps_before_it(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'stops' before it is not finished.*--until stops"):
        Chain().run(spark, tmp_path, start="cellsets")


def test_one_task_per_step(spark: SparkSession, tmp_path: Path) -> None:
    tasks = [Chain(), Chain(), Chain()]
    for task, name in zip(tasks, PLAN, strict=True):
        task.run(spark, tmp_path, start=name, until=name)
    assert [task.done for task in tasks] == [["stops"], ["cellsets"], ["evidence"]]
    assert (tmp_path / "evidence.txt").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"until": "cellset"}, "--until cellset is no step. Did you mean 'cellsets'"),
        ({"start": "zzz"}, "--from zzz is no step. Steps: stops, cellsets, evidence"),
        ({"start": "evidence", "until": "stops"}, "--from evidence comes after --until stops"),
    ],
)
def test_unknown_steps_are_named(
    spark: SparkSession, tmp_path: Path, options: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Run(spark, str(tmp_path), PLAN, **options)
    assert str(caught.value).startswith(message)


def test_an_attempt_without_a_record_does_not_count_and_is_deleted(
    spark: SparkSession, tmp_path: Path
) -> None:
    first = Chain()
    results = first.run(spark, tmp_path)
    place = Path(results[1].folder.removeprefix("file:")).parent
    (place / "record.json").unlink()
    (place / "20200101T000000-dead").mkdir()
    second = Chain()
    second.run(spark, tmp_path)
    assert second.done == ["cellsets", "evidence"] or second.done == ["cellsets"]
    assert len(list(place.iterdir())) == 2


@pytest.mark.parametrize("record", ["", '{"attempt": "20', "[]", '{"attempt": "gone"}', "{}"])
def test_a_damaged_record_does_not_count(spark: SparkSession, tmp_path: Path, record: str) -> None:
    results = Chain().run(spark, tmp_path)
    place = Path(results[0].folder.removeprefix("file:")).parent
    (place / "record.json").write_text(record)
    second = Chain()
    second.run(spark, tmp_path)
    assert second.done[0] == "stops"


def test_a_result_whose_tables_were_deleted_does_not_count(spark: SparkSession, tmp_path: Path) -> None:
    results = Chain().run(spark, tmp_path)
    shutil.rmtree(results[2].folder.removeprefix("file:"))
    second = Chain()
    second.run(spark, tmp_path)
    assert second.done == ["evidence"]


def test_a_driver_that_lost_its_lock_records_nothing(spark: SparkSession, tmp_path: Path) -> None:
    class Slept(Chain):
        def _work(self, name: str, attempt: Attempt) -> None:
            super()._work(name, attempt)
            (tmp_path / "run.lock").write_text('{"owner": "other"}')

    with pytest.raises(RunLockedError):
        Slept().run(spark, tmp_path)
    assert not list(tmp_path.glob("steps/*/*/record.json"))


def test_a_failing_step_gives_the_lock_back(spark: SparkSession, tmp_path: Path) -> None:
    class Broken(Chain):
        def _work(self, name: str, attempt: Attempt) -> None:
            raise ValueError(name)

    with pytest.raises(ValueError, match="stops"):
        Broken().run(spark, tmp_path)
    assert not (tmp_path / "run.lock").exists()


def test_tables_are_counted_and_read_back_without_lineage(spark: SparkSession, tmp_path: Path) -> None:
    def work(attempt: Attempt) -> None:
        attempt.write("numbers", spark.range(5))

    with Run(spark, str(tmp_path), ("numbers",)) as run:
        done = run.execute(Step("numbers", 1, dict, lambda: ["k"], work, ("numbers",)))
    assert done.rows == {"numbers": 5}
    assert sorted(row.id for row in done.table("numbers").collect()) == [0, 1, 2, 3, 4]
