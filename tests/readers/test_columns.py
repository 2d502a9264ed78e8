"""Which column means what."""

from __future__ import annotations

import pytest

from movfair_spark.errors import MissingColumnsError
from movfair_spark.readers import columns


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("uid", "user_id"),  # nomad
        ("uid", "UserId"),  # Patterns of Life, Checkin.tsv
        ("uid", "agentId"),  # Patterns of Life, AgentStateTable
        ("time", "tracked_at"),  # trackintel
        ("time", "datetime"),  # scikit-mobility
        ("x", "lng"),
        ("x", "dev_lon"),
        ("y", "Latitude"),
        ("arrive", "started_at"),
        ("leave", "leaving_datetime"),
        ("outcome", "y_pred"),
        ("truth", "y_true"),
    ],
)
def test_usual_names_are_found_whatever_their_case_and_signs(role, name):
    """tempo #136, #390: no library may insist on its own column names."""
    assert columns.find(role, None, ["other", name], "points") == name


def test_a_name_of_the_first_group_wins_over_a_vague_one():
    assert columns.find("uid", None, ["id", "user_id"], "points") == "user_id"


def test_a_given_name_is_taken_whatever_the_usual_ones():
    assert (
        columns.find("time", "unix_timestamp", ["local_timestamp", "unix_timestamp"], "t") == "unix_timestamp"
    )


def test_a_given_name_may_differ_in_case():
    assert columns.find("uid", "userid", ["UserID", "t"], "points") == "UserID"


def test_nothing_usual_is_nothing_found():
    assert columns.find("uid", None, ["a", "b"], "points") is None


@pytest.mark.parametrize(
    ("names", "wanted", "says"),
    [
        (["uid", "UID"], None, "differ only by case"),
        (["uid", "UID"], "uid", "differ only by case"),
        (["uid", "uid"], "uid", "2 columns are called 'uid'"),
        (["user", "agent"], None, "could be 'user', 'agent'"),
        (["user", "agent"], "usr", "Did you mean 'user'?"),
        (["a", "b"], "zzz", "there are 'a', 'b'"),
    ],
)
def test_doubt_is_an_error_that_names_the_columns(names, wanted, says):
    """datacompy #506; Spark's AMBIGUOUS_REFERENCE for uid and UID."""
    with pytest.raises(MissingColumnsError, match=None) as raised:
        columns.find("uid", wanted, names, "points")
    assert says in str(raised.value)


def test_a_long_list_of_columns_is_cut():
    with pytest.raises(MissingColumnsError) as raised:
        columns.require({"uid": None}, [f"c{i}" for i in range(100)], "points")
    assert "and 70 more" in str(raised.value)
