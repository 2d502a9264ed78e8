from __future__ import annotations

import pytest


@pytest.fixture(params=[("UTC", "false"), ("Asia/Tokyo", "true")], ids=["UTC", "Tokyo, ANSI"])
def any_session(spark, request):
    """The same session in two time zones and both ANSI modes: no reader may depend on them."""
    keys = ("spark.sql.session.timeZone", "spark.sql.ansi.enabled")
    before = [spark.conf.get(key) for key in keys]
    for key, value in zip(keys, request.param, strict=True):
        spark.conf.set(key, value)
    yield spark
    for key, value in zip(keys, before, strict=True):
        spark.conf.set(key, value)
